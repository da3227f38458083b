package io.carlos.control.verb;

import io.carlos.control.cgroup.CgroupWatch;
import io.carlos.control.ready.NotReadyException;
import io.carlos.control.testing.FileBox;
import io.carlos.control.unit.RecordingUnitManager;
import io.carlos.control.unit.UnitProperty;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The verbs over a recording systemd and a box of plain files, with short times. */
final class VerbBench implements AutoCloseable {
    static final Host HOST = Host.of("my-app.example.com");
    static final InvocationId INVOCATION = InvocationId.of("0123456789abcdef0123456789abcdef");
    static final InvocationId OTHER = InvocationId.of("fedcba9876543210fedcba9876543210");
    static final String SLICE = "carlos-instances-my\\x2dapp.example.com.slice";
    static final UnitName RUN = UnitName.of(Role.RUN, HOST);
    static final UnitName SEED = UnitName.of(Role.SEED, HOST);
    static final UnitName CMD = UnitName.of(Role.CMD, HOST);

    static final String LOOK_BEFORE_STOP = "show -p InvocationID,ActiveState ";
    static final String TERM = "kill --kill-whom=main --signal=SIGTERM ";
    static final String STOP = "stop --job-mode=ignore-dependencies ";
    static final Duration LONG = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofMillis(50);

    private static final Looks LOOKS = new Looks(Duration.ofMillis(1), Duration.ofMillis(5));

    final RecordingUnitManager systemd = new RecordingUnitManager();
    final FileBox box;

    /** Whether the box is proven to isolate what it starts. */
    volatile boolean ready = true;

    /** Whose namespaces' first processes were asked to end, which they do at once. */
    final List<UnitName> signalled = new CopyOnWriteArrayList<>();

    final CgroupWatch cgroups;
    final Starts starts;
    final StopSequence stopSequence;
    final StartVerb start;
    final SeedVerb seed;
    final CmdVerb cmd;
    final StopVerb stop;
    final SweepVerb sweep;

    VerbBench(Path directory) throws IOException {
        box = new FileBox(directory);
        cgroups = CgroupWatch.open(box.cgroupRoot(), (empty, time) -> {});
        StopTimes times = new StopTimes(LONG, LONG, SHORT, SHORT, LOOKS);
        stopSequence = new StopSequence(systemd, cgroups, this::signal, new StatusFiles(box.paths()), times);
        starts = new Starts(this::requireReady, stopSequence::stop);
        start = new StartVerb(systemd, starts);
        seed = new SeedVerb(systemd, starts, stopSequence, new StatusFiles(box.paths()));
        cmd = new CmdVerb(systemd, cgroups, starts, new CmdVerb.CmdTimes(Duration.ofMillis(200), LOOKS));
        stop = new StopVerb(starts, stopSequence);
        sweep = new SweepVerb(systemd, starts, stopSequence);
    }

    static Map<UnitProperty, String> state(InvocationId invocation, String active, String sub) {
        return Map.of(
                UnitProperty.INVOCATION_ID, invocation.value(),
                UnitProperty.ACTIVE_STATE, active,
                UnitProperty.SUB_STATE, sub);
    }

    static Map<UnitProperty, String> ended(
            InvocationId invocation, String active, String sub, String result, String status, String code) {
        return Map.of(
                UnitProperty.INVOCATION_ID, invocation.value(),
                UnitProperty.ACTIVE_STATE, active,
                UnitProperty.SUB_STATE, sub,
                UnitProperty.RESULT, result,
                UnitProperty.EXEC_MAIN_STATUS, status,
                UnitProperty.EXEC_MAIN_CODE, code);
    }

    static Map<UnitProperty, String> inactive() {
        return Map.of(UnitProperty.INVOCATION_ID, "", UnitProperty.ACTIVE_STATE, "inactive");
    }

    private void requireReady() throws NotReadyException {
        if (!ready) {
            throw new NotReadyException(ProbeReport.notReady("planned"));
        }
    }

    private boolean signal(UnitName unit) {
        signalled.add(unit);
        box.empty(unit);
        return true;
    }

    @Override
    public void close() throws IOException {
        cgroups.close();
    }
}
