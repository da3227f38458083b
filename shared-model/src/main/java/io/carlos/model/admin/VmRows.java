package io.carlos.model.admin;

import io.carlos.model.names.VmName;
import java.time.Instant;
import java.util.List;

/** The virtual machines that operators have created on a box, in the order of their names. */
public record VmRows(List<Row> vms) {
    public VmRows {
        vms = List.copyOf(vms);
    }

    /**
     * One machine.
     *
     * @param id what it is called on the box; another one after each start anew
     * @param state where it is: created, starting, running, stopping, stopped or failed; later agents may know others
     * @param reason one sentence on how it came to its state; empty when there is nothing to say
     * @param since when it came to its state
     * @param uid whom its commands run as that name nobody
     * @param workspace the directory of the box that it has as {@code /workspace}
     */
    public record Row(VmName name, String id, String state, String reason, Instant since, int uid, String workspace) {}
}
