package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.DirectoryEntry;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.model.names.InstanceId;
import java.util.ArrayList;
import java.util.List;

/** Below a root there is this instance's directory and nothing else, neither other instances nor anything of the box. */
final class DirectoryTreeCheck implements ProbeCheck {
    private final Syscalls calls;
    private final String name;
    private final String root;

    DirectoryTreeCheck(Syscalls calls, String name, String root) {
        this.calls = calls;
        this.name = name;
        this.root = root;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Finding check() {
        String instances = root + "/instances";
        if (!names(root).equals(List.of("instances"))) {
            return Finding.fail(root + " lists " + names(root) + ", expected instances and nothing else");
        }
        if (!names(instances).equals(List.of(InstanceId.PROBE.value()))) {
            return Finding.fail(
                    instances + " lists " + names(instances) + ", expected " + InstanceId.PROBE + " and nothing else");
        }
        return Finding.ok(root + " shows the own directory only");
    }

    private List<String> names(String directory) {
        List<String> names = new ArrayList<>();
        for (DirectoryEntry entry : DirectoryEntry.list(calls, directory)) {
            names.add(entry.name());
        }
        return names;
    }
}
