package io.carlos.cli.instances;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.carlos.cli.console.Table;
import io.carlos.model.admin.InstanceRows;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.runs.ActiveRun;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An instance in a list, as on the wire of {@code --output json}.
 *
 * @param boxLost whether its box has not been heard of for a while
 * @param here what the agent of this box knows of it; null, and left out, where none does
 */
record ListedInstance(
        Host host,
        Account account,
        App app,
        String region,
        @Nullable String box,
        boolean boxLost,
        Isolation isolation,
        long memoryMax,
        @Nullable Instant trashedAt,
        @Nullable ActiveRun activeRun,
        @JsonInclude(JsonInclude.Include.NON_NULL) InstanceRows.@Nullable Row here) {

    /** @param lost the boxes that are, each as {@code REGION/BOX} */
    static ListedInstance of(InstanceRecord record, Set<String> lost, InstanceRows.@Nullable Row here) {
        return new ListedInstance(
                record.host(),
                record.account(),
                record.app(),
                record.region(),
                record.box(),
                lost.contains(record.region() + "/" + record.box()),
                record.isolation(),
                record.memoryMax(),
                record.trashedAt(),
                record.activeRun(),
                here);
    }

    static Table table(List<ListedInstance> instances) {
        Table table = new Table(
                Table.left("HOST"),
                Table.left("ACCOUNT"),
                Table.left("APP"),
                Table.left("REGION"),
                Table.left("BOX"),
                Table.left("ISOLATION"),
                Table.left("HERE"),
                Table.left("RUN"));
        instances.forEach(instance -> table.row(
                instance.host,
                instance.account,
                instance.app,
                instance.region,
                instance.shownBox(),
                instance.isolation,
                instance.shownState(),
                instance.shownRun()));
        return table;
    }

    private String shownBox() {
        if (trashedAt != null) {
            return "(trash)";
        }
        if (box == null) {
            return "(none yet)";
        }
        return boxLost ? box + " (lost)" : box;
    }

    private String shownState() {
        if (here == null) {
            return "";
        }
        return here.reason().isEmpty() ? here.state() : here.state() + ": " + here.reason();
    }

    private String shownRun() {
        return activeRun == null || !activeRun.isOpen() ? "" : activeRun.id() + " (" + activeRun.state() + ")";
    }
}
