package io.carlos.control.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.testing.Await;
import io.carlos.model.control.MainCode;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.names.Role;
import io.carlos.model.names.SliceName;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real calls, to a program that writes its arguments down instead of asking systemd. */
@Timeout(60)
class SystemctlTest {
    private static final UnitName NAME = UnitName.of(Role.RUN, Host.of("my-app.example.com"));
    private static final Unit UNIT = Unit.of(NAME);
    private static final List<UnitProperty> ALL = List.of(UnitProperty.values());

    private static final String HANG_BUT_FOR_STOPS = "[ $1 = stop ] || while [ ! -e %s ]; do sleep 0.02; done";
    private static final int HANGING = Systemctl.AWAITED_AT_A_TIME;

    @TempDir
    private Path directory;

    /** A program that records its arguments, each on a line, and then does what the script says. */
    private Path program(String script) throws IOException {
        Path file = directory.resolve("systemctl");
        Files.writeString(file, "#!/bin/sh\nprintf '%s\\n' \"$@\" >>" + directory + "/arguments\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file;
    }

    private UnitManager systemd(String script) throws IOException {
        return new Systemctl(program(script), 2);
    }

    private List<String> arguments() throws IOException {
        return Files.readAllLines(directory.resolve("arguments"));
    }

    @Test
    void everyArgumentArrivesAsItIs() throws Exception {
        systemd("exit 0").setMemory(SliceName.of(Host.of("my-app.example.com")), MemoryTier.MIB_512);

        assertThat(arguments())
                .containsExactly(
                        "set-property",
                        "--runtime",
                        "carlos-instances-my\\x2dapp.example.com.slice",
                        "MemoryMax=536870912",
                        "MemoryHigh=483183820",
                        "MemorySwapMax=536870912");
    }

    @Test
    void patternsReachSystemctlUnexpanded() throws Exception {
        assertThat(systemd("exit 0").instances()).isEmpty();

        assertThat(arguments())
                .containsExactly(
                        "list-units",
                        "--all",
                        "--plain",
                        "--no-legend",
                        "--no-pager",
                        "carlos-instance@*.service",
                        "carlos-instance-seed@*.service",
                        "carlos-instance-sidecar@*.service",
                        "carlos-instance-cmd@*.service");
    }

    @Test
    void aRefusalHasSystemdsWordsOnOneLine() throws Exception {
        UnitManager systemd = systemd("echo 'Failed to start it:' >&2; echo 'no such unit' >&2; exit 5");

        assertThatThrownBy(() -> systemd.start(UNIT))
                .isInstanceOf(SystemdException.class)
                .hasMessage("systemctl start " + UNIT + ": exit status 5: Failed to start it: no such unit");
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        UnitManager systemd = new Systemctl(directory.resolve("missing"), 2);

        assertThatThrownBy(() -> systemd.start(UNIT))
                .isInstanceOf(SystemdException.class)
                .hasMessageContaining("missing start " + UNIT)
                .hasMessageContaining("cannot be executed");
    }

    @Test
    void aProgramThatHangsIsKilledWhenItsTimeIsOver() throws Exception {
        Program program = new Program(program("echo $$ >" + directory + "/pid; exec sleep 600"));

        assertThatThrownBy(() -> program.run(List.of("start"), Duration.ofMillis(300)))
                .isInstanceOf(SystemdException.class)
                .hasMessageContaining("no answer within");

        long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
        ProcessHandle.of(pid).ifPresent(left -> left.onExit().join());
    }

    @Test
    void moreMessagesThanAreKeptDoNotHoldUpTheProgram() throws Exception {
        UnitManager systemd = systemd("head -c 300000 /dev/zero | tr '\\0' x >&2; exit 1");

        assertThatThrownBy(() -> systemd.terminateMain(UNIT))
                .isInstanceOf(SystemdException.class)
                .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(5_000));
    }

    @Test
    void moreOutputThanCanBeKeptIsAnError() throws Exception {
        UnitManager systemd = systemd("head -c 2000000 /dev/zero | tr '\\0' x");

        assertThatThrownBy(systemd::instances).hasMessageContaining("more than");
    }

    @Test
    void shownPropertiesAreRead() throws Exception {
        UnitManager systemd = systemd(
                "cat <<'X'\nMainPID=77\nExecMainStatus=9\nExecMainCode=2\nResult=signal\n"
                        + "ActiveState=active\nSubState=exited\nInvocationID=0123456789abcdef0123456789abcdef\nControlGroup=\nX");

        UnitStatus status = systemd.show(UNIT, ALL);

        assertThat(status.mainPid()).isEqualTo(77);
        assertThat(status.mainStatus()).isEqualTo(9);
        assertThat(status.mainCode()).isEqualTo(MainCode.KILLED);
        assertThat(status.result()).isEqualTo("signal");
        assertThat(status.isEnded()).isTrue();
        assertThat(status.controlGroup()).isEmpty();
        assertThat(status.invocation()).isPresent();
        assertThat(arguments())
                .containsExactly(
                        "show",
                        "-p",
                        "InvocationID,ActiveState,SubState,Result,ExecMainStatus,ExecMainCode,MainPID,ControlGroup",
                        UNIT.name());
    }

    @Test
    void aPropertyThatIsNotShownIsAnError() throws Exception {
        UnitManager systemd = systemd("echo Result=success");

        assertThatThrownBy(() -> systemd.show(UNIT, ALL)).hasMessageContaining("found none for InvocationID");
    }

    @Test
    void anInvocationThatIsNoneIsAnError() throws Exception {
        assertThat(systemd("echo").invocation(UNIT)).isEmpty();
        assertThatThrownBy(() -> systemd("echo nonsense").invocation(UNIT)).isInstanceOf(SystemdException.class);
    }

    @Test
    void listsLeaveOutWhatIsNoTenantsUnit() throws Exception {
        UnitManager systemd = systemd("cat <<'X'\n"
                + "carlos-instance@my\\x2dapp.example.com.service loaded active running A tenant\n"
                + "carlos-instance-cmd@b.example.com.service not-found failed failed\n"
                + "carlos-instance-control.service loaded active running Control\n"
                + "\nX");

        assertThat(systemd.instances())
                .containsExactly(
                        new LoadedUnit(NAME, "active"),
                        new LoadedUnit(UnitName.of(Role.CMD, Host.of("b.example.com")), "failed"));
    }

    @Test
    void jobsAreOfTenantsUnitsOnly() {
        String output =
                "12 carlos-instance@my\\x2dapp.example.com.service start waiting\n13 ssh.service restart running\n";

        assertThat(Systemctl.parseJobs(output)).containsExactly(NAME);
        assertThat(Systemctl.parseJobs("")).isEmpty();
    }

    @Test
    void aResetOfAUnitThatIsNotLoadedIsNoError() throws Exception {
        systemd("echo 'Failed to reset failed state of unit x.service: Unit x.service not loaded.' >&2; exit 1")
                .resetFailed(UNIT);

        assertThatThrownBy(() -> systemd("echo 'Access denied' >&2; exit 1").resetFailed(UNIT))
                .hasMessageContaining("Access denied");
    }

    private static List<FutureTask<Boolean>> askInBackground(UnitManager systemd, int times) {
        List<FutureTask<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            FutureTask<Boolean> call =
                    new FutureTask<>(() -> systemd.invocation(UNIT).isEmpty());
            calls.add(call);
            Thread.ofVirtual().start(call);
        }
        return calls;
    }

    @Test
    void ofManyQuickCallsAFewRunAtATimeAndAStopWaitsForNone() throws Exception {
        Path release = directory.resolve("release");
        Systemctl systemd = new Systemctl(program(HANG_BUT_FOR_STOPS.formatted(release)), 3);
        List<FutureTask<Boolean>> calls = askInBackground(systemd, 7);
        Await.until("the others wait", () -> systemd.waiting() == 4 && asked() == 3);

        systemd.stop(UNIT);

        assertThat(asked()).isEqualTo(3);
        Files.createFile(release);
        for (FutureTask<Boolean> call : calls) {
            assertThat(call.get()).isTrue();
        }
        assertThat(asked()).isEqualTo(7);
    }

    @Test
    void neitherVettingNorStopsWaitBehindTheVerbs() throws Exception {
        Path release = directory.resolve("release");
        Path program = program("case \"$*\" in *edge*) echo ActiveState=active ;; *) "
                + HANG_BUT_FOR_STOPS.formatted(release) + " ;; esac");
        UnitManagers managers = UnitManagers.by(program, 64);
        List<FutureTask<Boolean>> calls = askInBackground(managers.verbs(), 12);
        Await.until("some wait", () -> ((Systemctl) managers.verbs()).waiting() == 4);

        Unit edge = new Unit("carlos-edge.service");
        List<UnitProperty> asked = List.of(UnitProperty.ACTIVE_STATE);
        assertThat(managers.vetting().show(edge, asked).get(UnitProperty.ACTIVE_STATE))
                .isEqualTo("active");
        assertThat(managers.stops().show(edge, asked).get(UnitProperty.ACTIVE_STATE))
                .isEqualTo("active");

        Files.createFile(release);
        for (FutureTask<Boolean> call : calls) {
            assertThat(call.get()).isTrue();
        }
    }

    /** The JVM has few carriers of virtual threads: calls that kept them would keep every other thread from running. */
    @Test
    void stopsThatHangHoldNoCarriers() throws Exception {
        Path pids = directory.resolve("pids");
        UnitManager systemd = new Systemctl(program("echo $$ >>" + pids + "; exec sleep 600"), 2);
        VirtualThreadSchedulerMXBean carriers = ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
        int before = carriers.getPoolSize();
        List<FutureTask<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < HANGING; i++) {
            FutureTask<Boolean> call = new FutureTask<>(() -> {
                systemd.stop(UNIT);
                return true;
            });
            calls.add(call);
            Thread.ofVirtual().start(call);
        }
        try {
            Await.until(
                    "all hang",
                    () -> Files.exists(pids) && Files.readAllLines(pids).size() == HANGING);

            Await.until("whatever runs for them has begun", () -> carriers.getQueuedVirtualThreadCount() == 0);
            // One that is held is replaced by a new one, up to 256.
            assertThat(carriers.getPoolSize()).isLessThan(before + HANGING / 2);
            assertThat(calls).noneMatch(FutureTask::isDone);
        } finally {
            // Not by their threads: in the case that is excluded here they would not get to it.
            for (String pid : Files.readAllLines(pids)) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    @Test
    void ofManyStopsOnlySoManyRunAtATimeAndAllComeToTheirTurn() throws Exception {
        Path release = directory.resolve("release");
        Systemctl systemd = new Systemctl(program("while [ ! -e " + release + " ]; do sleep 0.1; done"), 2);
        List<FutureTask<Boolean>> stops = new ArrayList<>();
        for (int i = 0; i < HANGING + 3; i++) {
            FutureTask<Boolean> stop = new FutureTask<>(() -> {
                systemd.stop(UNIT);
                return true;
            });
            stops.add(stop);
            Thread.ofVirtual().start(stop);
        }
        Await.until("the others wait", () -> systemd.awaitedWaiting() == 3 && lines("stop") == HANGING);

        Files.createFile(release);

        for (FutureTask<Boolean> stop : stops) {
            assertThat(stop.get()).isTrue();
        }
        assertThat(lines("stop")).isEqualTo(HANGING + 3);
    }

    private long asked() throws IOException {
        return lines("show");
    }

    private long lines(String argument) throws IOException {
        Path arguments = directory.resolve("arguments");
        return Files.notExists(arguments)
                ? 0
                : Files.readAllLines(arguments).stream()
                        .filter(argument::equals)
                        .count();
    }

    @Test
    void aUnitIsNeverAPatternNorAnOption() {
        for (String text :
                List.of("*.service", "-H.service", ".service", "a.socket", "a b.service", "a/b.service", "")) {
            assertThatThrownBy(() -> new Unit(text)).as(text).isInstanceOf(InvalidNameException.class);
        }
    }
}
