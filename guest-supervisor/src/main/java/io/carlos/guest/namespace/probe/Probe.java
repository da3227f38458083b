package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.BoxDirectories;
import io.carlos.guest.namespace.calls.Environment;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.InstanceId;
import java.util.ArrayList;
import java.util.List;

/** Tries everything that the namespace of a tenant must prevent, in a unit with the same namespace. */
public final class Probe {
    private final List<ProbeCheck> checks;

    Probe(List<ProbeCheck> checks) {
        this.checks = List.copyOf(checks);
    }

    /** The probe of this box. */
    public static Probe of(Syscalls calls) {
        Environment environment = new Environment(calls.environment());
        BoxDirectories box = BoxDirectories.of(environment);
        Outside outside = Outside.of(environment);
        String data = box.instanceData(InstanceId.PROBE);
        String run = box.instanceRun(InstanceId.PROBE);
        List<ProbeCheck> checks = new ArrayList<>();
        checks.add(new DirectoryTreeCheck(calls, "data-tree", box.data()));
        checks.add(new DirectoryTreeCheck(calls, "run-tree", box.run()));
        checks.add(new EmptyDirectoriesCheck(calls));
        checks.add(new ProcessNamespaceCheck(calls));
        checks.add(new ReadOnlyControlGroupsCheck(calls));
        checks.add(new HiddenConfigurationCheck(calls, box.configuration()));
        checks.add(new PlantedLinkCheck(calls, data, run));
        checks.add(new NoLinksMountedCheck(calls, data, run));
        checks.add(MetadataDatagramCheck.ipv4(calls));
        checks.add(MetadataDatagramCheck.ipv6(calls));
        checks.add(new LoopbackCheck(calls));
        checks.add(new MetadataConnectionCheck(calls));
        checks.add(ProcessStatusCheck.capabilities(calls));
        checks.add(ProcessStatusCheck.noNewPrivileges(calls));
        checks.add(ProcessStatusCheck.systemCallFilter(calls));
        checks.add(new OpenDescriptorsCheck(calls));
        checks.add(new ReadOnlySystemCheck(calls, data));
        checks.add(new NewNamespaceCheck(calls));
        checks.add(new WritableCodeCheck(calls));
        checks.add(new DevicesCheck(calls));
        checks.add(new SocketFamiliesCheck(calls));
        checks.add(new HostServicesCheck(calls, outside, box.run(), run));
        checks.add(new InterProcessCheck(calls, outside));
        checks.add(new SiblingSignalCheck(calls));
        checks.add(new MemoryLimitCheck(calls));
        return new Probe(checks);
    }

    /** Makes every check. One that cannot be made has failed. */
    public ProbeReport run() {
        List<ProbeLine> lines = new ArrayList<>();
        for (ProbeCheck check : checks) {
            Finding finding;
            try {
                finding = check.check();
            } catch (RuntimeException e) {
                finding = Finding.fail("cannot be checked: " + e.getMessage());
            }
            lines.add(new ProbeLine(check.name(), finding.verdict(), finding.detail()));
        }
        return new ProbeReport(lines);
    }
}
