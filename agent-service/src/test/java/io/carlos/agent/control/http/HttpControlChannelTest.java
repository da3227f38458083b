package io.carlos.agent.control.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.UnsweptException;
import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.ControlApi;
import io.carlos.model.control.MainCode;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.NotReady;
import io.carlos.model.control.Problem;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.control.StartAnswer;
import io.carlos.model.control.SweepAnswer;
import io.carlos.model.control.Unswept;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.linux.BootClock;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each verb asks for, and what it makes of the answer. */
@Timeout(60)
class HttpControlChannelTest {
    private static final Host HOST = Host.of("acme.example.com");
    private static final InvocationId INVOCATION = InvocationId.of("0123456789abcdef0123456789abcdef");

    @TempDir
    Path directory;

    private Path socket;
    private HttpControlChannel channel;

    @BeforeEach
    void open() {
        socket = directory.resolve("control.sock");
        channel = new HttpControlChannel(socket);
    }

    private static String onlyRequestLine(ScriptedControlService service) {
        assertThat(service.requests()).hasSize(1);
        return service.requests().getFirst().lines().findFirst().orElseThrow();
    }

    @Test
    void startAsksForHostRoleAndMemory() throws Exception {
        try (ScriptedControlService service =
                ScriptedControlService.answering(socket, 200, new StartAnswer(INVOCATION))) {
            assertThat(channel.start(HOST, Role.SIDECAR, MemoryTier.GIB_1)).isEqualTo(INVOCATION);
            assertThat(onlyRequestLine(service))
                    .startsWith("POST /start?")
                    .contains("host=acme.example.com", "role=sidecar", "memory_max=1073741824");
        }
    }

    @Test
    void seedAnswersWithItsEnd() throws Exception {
        SeedAnswer end = new SeedAnswer(INVOCATION, "exit-code", 3, MainCode.EXITED);
        try (ScriptedControlService service = ScriptedControlService.answering(socket, 200, end)) {
            assertThat(channel.seed(HOST, MemoryTier.MIB_512)).isEqualTo(end);
            assertThat(onlyRequestLine(service)).startsWith("POST /seed?").contains("memory_max=536870912");
        }
    }

    @Test
    void startCmdAnswersWithItsInvocation() throws Exception {
        try (ScriptedControlService service =
                ScriptedControlService.answering(socket, 200, new StartAnswer(INVOCATION))) {
            assertThat(channel.startCmd(HOST, MemoryTier.MIB_512)).isEqualTo(INVOCATION);
            assertThat(onlyRequestLine(service)).startsWith("POST /cmd?").contains("memory_max=536870912");
        }
    }

    /** A call that starts something, and is not answered. */
    @FunctionalInterface
    interface Start {
        void call(HttpControlChannel channel) throws ControlException, InterruptedException;
    }

    static Stream<Start> starts() {
        return Stream.of(
                channel -> channel.start(HOST, Role.RUN, MemoryTier.MIB_512),
                channel -> channel.seed(HOST, MemoryTier.MIB_512),
                channel -> channel.startCmd(HOST, MemoryTier.MIB_512));
    }

    @ParameterizedTest
    @MethodSource("starts")
    void startMayBeginUntilItsWindowIsOver(Start start) throws Exception {
        try (ScriptedControlService service = new ScriptedControlService(socket, request -> "")) {
            long before = BootClock.nanos();
            assertThatThrownBy(() -> start.call(channel)).isInstanceOf(ControlException.class);
            long after = BootClock.nanos();

            long window = ControlChannel.START_WINDOW.toNanos();
            assertThat(deadline(service).map(Long::parseLong))
                    .hasValueSatisfying(deadline -> assertThat(deadline).isBetween(before + window, after + window));
        }
    }

    private static Optional<String> deadline(ScriptedControlService service) {
        String header = ControlApi.DEADLINE + ": ";
        return service.requests()
                .getFirst()
                .lines()
                .filter(line -> line.startsWith(header))
                .map(line -> line.substring(header.length()))
                .findFirst();
    }

    @Test
    void stopHasNoDeadline() throws Exception {
        try (ScriptedControlService service = ScriptedControlService.answering(socket, 204)) {
            channel.stop(HOST, Role.CMD);
            assertThat(deadline(service)).isEmpty();
        }
    }

    @Test
    void awaitCmdAsksForWholeSeconds() throws Exception {
        CmdAnswer done = CmdAnswer.done(INVOCATION, "success", 0, MainCode.EXITED);
        try (ScriptedControlService service = ScriptedControlService.answering(socket, 200, done)) {
            assertThat(channel.awaitCmd(HOST, INVOCATION, Duration.ofMillis(2_900)))
                    .isEqualTo(done);
            assertThat(onlyRequestLine(service)).startsWith("GET /cmd?").contains("wait=2", "invocation=" + INVOCATION);
        }
    }

    @Test
    void awaitCmdAsksForNoMoreThanTheLongestWait() throws Exception {
        try (ScriptedControlService service =
                ScriptedControlService.answering(socket, 200, CmdAnswer.gone(INVOCATION))) {
            channel.awaitCmd(HOST, INVOCATION, Duration.ofHours(1));
            assertThat(onlyRequestLine(service)).contains("wait=25");
        }
    }

    @Test
    void stopAndResetNameTheRole() throws Exception {
        try (ScriptedControlService service = ScriptedControlService.answering(socket, 204)) {
            channel.stop(HOST, Role.CMD);
            channel.reset(HOST, Role.RUN);
            assertThat(service.requests().get(0)).startsWith("POST /stop?").contains("role=cmd");
            assertThat(service.requests().get(1)).startsWith("POST /reset?").contains("role=run");
        }
    }

    @Test
    void sweepAnswersWithTheUnits() throws Exception {
        try (ScriptedControlService service =
                ScriptedControlService.answering(socket, 200, new SweepAnswer(List.of("b", "a")))) {
            assertThat(channel.sweep()).containsExactly("a", "b");
            assertThat(onlyRequestLine(service)).startsWith("POST /sweep ");
        }
    }

    @Test
    void sweepThatLeftUnitsNamesThem() throws Exception {
        UnitName left = UnitName.of(Role.SEED, HOST);
        try (ScriptedControlService _ = ScriptedControlService.answering(socket, 502, unswept(left.value()))) {
            assertThatThrownBy(channel::sweep)
                    .isInstanceOfSatisfying(
                            UnsweptException.class, e -> assertThat(e.units()).containsExactly(left))
                    .hasMessageContaining("processes remain");
        }
    }

    @Test
    void sweepThatLeftWhatCannotBeUnderstoodSaysNothingOfAnyUnit() throws Exception {
        Unswept answer = unswept(UnitName.of(Role.SEED, HOST).value(), "sshd.service");
        try (ScriptedControlService _ = ScriptedControlService.answering(socket, 502, answer)) {
            assertThatThrownBy(channel::sweep)
                    .isInstanceOf(ControlException.class)
                    .isNotInstanceOf(UnsweptException.class);
        }
    }

    private static Unswept unswept(String... units) {
        return Unswept.of(new Problem(Problem.NO_TYPE, "Bad Gateway", 502, "processes remain"), List.of(units));
    }

    @Test
    void probeOfAReadyBoxIsReady() throws Exception {
        try (ScriptedControlService service = ScriptedControlService.answering(socket, 204)) {
            assertThat(channel.probe().ready()).isTrue();
            assertThat(onlyRequestLine(service)).startsWith("GET /ready ");
        }
    }

    @Test
    void probeOfABoxThatIsNotReadyHasItsLines() throws Exception {
        ProbeReport report = new ProbeReport(List.of(new ProbeLine("pid1", ProbeLine.Verdict.FAIL, "it is 7")));
        try (ScriptedControlService _ = ScriptedControlService.answering(socket, 503, NotReady.of(report))) {
            assertThat(channel.probe()).isEqualTo(report);
        }
    }
}
