package io.carlos.model.admin;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.RecordRef;
import java.time.Instant;
import java.util.List;

/** What a box knows of its instances, in the order of their hosts. */
public record InstanceRows(List<Row> instances) {
    public InstanceRows {
        instances = List.copyOf(instances);
    }

    /**
     * One instance.
     *
     * @param state where it is: stopped, seeding, starting, running, stopping, crashed or failed; later agents may know others
     * @param desired what is wanted of it: run, stopped or gone
     * @param reason one sentence on how it came to its state; empty when there is nothing to say
     * @param since when it came to its state
     */
    public record Row(Account account, App app, Host host, String state, String desired, String reason, Instant since) {
        /** Whose it is: another record may have the same host. */
        public RecordRef ref() {
            return new RecordRef(account, app, host);
        }
    }
}
