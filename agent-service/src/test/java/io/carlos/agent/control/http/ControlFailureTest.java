package io.carlos.agent.control.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.NotReady;
import io.carlos.model.control.Problem;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each way to fail tells of the unit. */
@Timeout(60)
class ControlFailureTest {
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

    private ControlException failureOfStartCmd() {
        return catchThrowableOfType(ControlException.class, () -> channel.startCmd(HOST, MemoryTier.MIB_512));
    }

    @Test
    void boxThatIsNotReadyStartsNothingAndTheMessageNamesTheLine() throws Exception {
        ProbeReport report = new ProbeReport(List.of(new ProbeLine("pid1", ProbeLine.Verdict.FAIL, "it is 7")));
        try (ScriptedControlService _ = ScriptedControlService.answering(socket, 503, NotReady.of(report))) {
            assertThat(failureOfStartCmd())
                    .hasMessageContaining("pid1: fail: it is 7")
                    .satisfies(has(Outcome.NOT_READY));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400, about:blank, NOTHING_RUNS",
        "404, about:blank, NOTHING_RUNS",
        "405, about:blank, NOTHING_RUNS",
        "431, about:blank, NOTHING_RUNS",
        "409, about:blank, BUSY",
        "409, urn:carlos:stopped, STOPPED",
        "409, urn:carlos:still-loaded, STILL_LOADED",
        "409, urn:carlos:expired, EXPIRED",
        "500, about:blank, MAY_RUN",
        "502, about:blank, MAY_RUN",
        "503, about:blank, MAY_RUN",
        "502, urn:carlos:nothing-runs, NOTHING_RUNS",
        "502, urn:carlos:may-run, MAY_RUN",
        "503, urn:carlos:may-run, MAY_RUN"
    })
    void problemTellsWhatRuns(int status, String type, Outcome outcome) throws Exception {
        Problem problem = new Problem(type, "Any", status, "what systemd said");
        try (ScriptedControlService service = ScriptedControlService.answering(socket, status, problem)) {
            assertThat(failureOfStartCmd())
                    .hasMessageContaining("POST /cmd")
                    .hasMessageContaining("what systemd said")
                    .satisfies(has(outcome));
            assertThat(service.requests()).as("requests").hasSize(1);
        }
    }

    private static Consumer<ControlException> has(Outcome outcome) {
        return failure -> assertThat(failure.outcome()).isEqualTo(outcome);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"invocation_id\":\"no\"}", "null"})
    void successThatCannotBeReadMayRun(String body) throws Exception {
        try (ScriptedControlService _ = new ScriptedControlService(
                socket, request -> ScriptedControlService.response(200, "application/json", body))) {
            assertThat(failureOfStartCmd()).satisfies(has(Outcome.MAY_RUN));
        }
    }

    @Test
    void problemThatCannotBeReadIsToldByItsStatus() throws Exception {
        try (ScriptedControlService _ = new ScriptedControlService(
                socket, request -> ScriptedControlService.response(409, "text/html", "<p>"))) {
            assertThat(failureOfStartCmd()).satisfies(has(Outcome.BUSY));
        }
    }

    @Test
    void noSocketMeansThatNothingRuns() {
        assertThat(failureOfStartCmd()).hasMessageContaining(socket.toString()).satisfies(has(Outcome.NOTHING_RUNS));
    }

    @Test
    void socketThatNobodyListensOnMeansThatNothingRuns() throws Exception {
        try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(socket));
        }
        assertThat(failureOfStartCmd()).hasMessageContaining(socket.toString()).satisfies(has(Outcome.NOTHING_RUNS));
    }

    @Test
    void hangUpWithoutAnAnswerMayRunAndIsNotSentAgain() throws Exception {
        try (ScriptedControlService service = new ScriptedControlService(socket, request -> "")) {
            assertThat(failureOfStartCmd()).satisfies(has(Outcome.MAY_RUN));
            assertThat(service.requests()).hasSize(1);
        }
    }

    @Test
    void hangUpAmidTheAnswerMayRun() throws Exception {
        try (ScriptedControlService service =
                new ScriptedControlService(socket, request -> "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")) {
            assertThat(failureOfStartCmd()).satisfies(has(Outcome.MAY_RUN));
            assertThat(service.requests()).hasSize(1);
        }
    }

    @Test
    void unavailableServiceIsNotAskedAgain() throws Exception {
        try (ScriptedControlService service =
                new ScriptedControlService(socket, request -> "HTTP/1.1 503 Any\r\nRetry-After: 0\r\n\r\n")) {
            assertThat(failureOfStartCmd()).satisfies(has(Outcome.MAY_RUN));
            assertThat(service.requests()).hasSize(1);
        }
    }

    @Test
    void answerThatDoesNotComeMayRun() throws Exception {
        try (ScriptedControlService service = new ScriptedControlService(socket, ScriptedAnswers::never)) {
            Exchanges exchanges = new Exchanges(socket);
            assertThatThrownBy(() -> exchanges.exchange(Verb.STOP, "/stop", Duration.ofMillis(50)))
                    .isInstanceOfSatisfying(ControlException.class, has(Outcome.MAY_RUN));
            service.awaitOpen(1);
        }
    }

    @Test
    void connectionIsClosedWhenTheTimeIsUp() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            assertThatThrownBy(() -> new Exchanges(socket).exchange(Verb.STOP, "/stop", Duration.ofMillis(50)))
                    .isInstanceOf(ControlException.class);
            try (InputStream request = Channels.newInputStream(server.accept())) {
                assertThat(request.readAllBytes()).asString().startsWith("POST /stop HTTP/1.1\r\n");
            }
        }
    }

    @Test
    void chunkedAnswerIsReadInFull() throws Exception {
        String body = "{\"units\":[\"a\"]}";
        String chunks = Integer.toHexString(5) + "\r\n" + body.substring(0, 5) + "\r\n"
                + Integer.toHexString(body.length() - 5) + "\r\n" + body.substring(5) + "\r\n0\r\n\r\n";
        try (ScriptedControlService _ = new ScriptedControlService(
                socket, request -> "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)) {
            assertThat(channel.sweep()).containsExactly("a");
        }
    }

    @Test
    void answerWithoutALengthEndsWithTheConnection() throws Exception {
        try (ScriptedControlService _ =
                new ScriptedControlService(socket, request -> "HTTP/1.1 200 OK\r\n\r\n{\"units\":[\"a\"]}")) {
            assertThat(channel.sweep()).containsExactly("a");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SSH-2.0-nothing\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\n"})
    void whatIsNoAnswerMayRun(String answer) throws Exception {
        try (ScriptedControlService _ = new ScriptedControlService(socket, request -> answer)) {
            assertThat(failureOfStartCmd()).satisfies(has(Outcome.MAY_RUN));
        }
    }

    @Test
    void callsLeaveNoDescriptorOpen() throws Exception {
        try (ScriptedControlService service = ScriptedControlService.answering(socket, 204)) {
            channel.probe();
            service.awaitOpen(0);
            long before = openDescriptors();
            for (int i = 0; i < 100; i++) {
                channel.probe();
            }
            service.awaitOpen(0);
            assertThat(openDescriptors()).isLessThan(before + 20);
        }
    }

    private static long openDescriptors() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }

    @Test
    void interruptEndsTheCall() throws Exception {
        try (ScriptedControlService service = new ScriptedControlService(socket, ScriptedAnswers::never)) {
            Thread caller = Thread.currentThread();
            Thread interrupter = Thread.ofVirtual().start(() -> {
                try {
                    service.awaitOpen(1);
                } catch (InterruptedException e) {
                    return;
                }
                caller.interrupt();
            });
            assertThatThrownBy(() -> channel.stop(HOST, Role.CMD)).isInstanceOf(InterruptedException.class);
            interrupter.join();
        }
    }
}
