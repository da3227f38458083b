package io.carlos.agent.control.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.CmdState;
import io.carlos.model.control.MainCode;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LanesTest {
    private static final Host HOST = Host.of("acme.example.com");
    private static final InvocationId INVOCATION = InvocationId.of("0123456789abcdef0123456789abcdef");
    private static final int MOST_THE_SERVICE_READS = 64;

    @TempDir
    Path directory;

    @Test
    void allLanesTogetherStayBelowWhatTheServiceReads() {
        assertThat(Lane.allConnections()).isLessThan(MOST_THE_SERVICE_READS);
    }

    @Test
    void fiftyCommandsAreAllAwaitedAndStopsDoNotWaitForThem() throws Exception {
        String done = ScriptedControlService.response(
                200,
                "application/json",
                new String(
                        CarlosJson.write(CmdAnswer.done(INVOCATION, "success", 0, MainCode.EXITED)),
                        StandardCharsets.UTF_8));
        CountDownLatch ended = new CountDownLatch(1);
        Path socket = directory.resolve("control.sock");
        try (ScriptedControlService service = new ScriptedControlService(socket, request -> {
                    if (request.startsWith("GET /cmd")) {
                        ended.await();
                        return done;
                    }
                    return "HTTP/1.1 204 Any\r\n\r\n";
                });
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            HttpControlChannel channel = new HttpControlChannel(socket);
            List<Future<CmdAnswer>> polls = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                polls.add(threads.submit(() -> channel.awaitCmd(HOST, INVOCATION, Duration.ofSeconds(25))));
            }
            service.awaitOpen(Lane.POLLS.connections());
            for (int i = 0; i < 2 * Lane.STOPS.connections(); i++) {
                channel.stop(HOST, Role.CMD);
            }
            assertThat(polls).noneMatch(Future::isDone);
            ended.countDown();
            for (Future<CmdAnswer> poll : polls) {
                assertThat(poll.get().state()).isEqualTo(CmdState.DONE);
            }
            assertThat(service.mostOpen()).isLessThanOrEqualTo(Lane.allConnections());
        }
    }

    private static Future<?> stop(ExecutorService threads, HttpControlChannel channel) {
        return threads.submit(() -> {
            channel.stop(HOST, Role.CMD);
            return null;
        });
    }

    @Test
    void readinessIsAnsweredWhileStopsTakeTheirTime() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        Path socket = directory.resolve("control.sock");
        try (ScriptedControlService service = new ScriptedControlService(socket, request -> {
                    if (request.startsWith("POST /stop")) {
                        ended.await();
                    }
                    return "HTTP/1.1 204 Any\r\n\r\n";
                });
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            HttpControlChannel channel = new HttpControlChannel(socket);
            List<Future<?>> stops = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                stops.add(stop(threads, channel));
            }
            try {
                service.awaitOpen(Lane.STOPS.connections());

                assertThat(channel.probe().ready()).isTrue();

                assertThat(stops).noneMatch(Future::isDone);
            } finally {
                ended.countDown();
            }
        }
    }

    @Test
    void endThatIsAskedForWithoutAWaitIsToldWhileEveryPollHasItsTurn() throws Exception {
        String done = ScriptedControlService.response(
                200,
                "application/json",
                new String(
                        CarlosJson.write(CmdAnswer.done(INVOCATION, "oom-kill", 9, MainCode.KILLED)),
                        StandardCharsets.UTF_8));
        Path socket = directory.resolve("control.sock");
        try (ScriptedControlService service = new ScriptedControlService(
                        socket, request -> request.contains("wait=0") ? done : ScriptedAnswers.never(request));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            HttpControlChannel channel = new HttpControlChannel(socket);
            for (int i = 0; i < Lane.POLLS.connections(); i++) {
                threads.submit(() -> channel.awaitCmd(HOST, INVOCATION, Duration.ofSeconds(25)));
            }
            try {
                service.awaitOpen(Lane.POLLS.connections());

                assertThat(channel.awaitCmd(HOST, INVOCATION, Duration.ZERO).result())
                        .isEqualTo("oom-kill");
            } finally {
                threads.shutdownNow();
            }
        }
    }

    @Test
    void pollWithoutATurnTellsOfARunningCommandWhenItsWaitIsOver() throws Exception {
        Path socket = directory.resolve("control.sock");
        try (ScriptedControlService service = new ScriptedControlService(socket, ScriptedAnswers::never);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            HttpControlChannel channel = new HttpControlChannel(socket);
            for (int i = 0; i < Lane.POLLS.connections(); i++) {
                threads.submit(() -> channel.awaitCmd(HOST, INVOCATION, Duration.ofSeconds(25)));
            }
            service.awaitOpen(Lane.POLLS.connections());
            assertThat(channel.awaitCmd(HOST, INVOCATION, Duration.ofMillis(10)))
                    .isEqualTo(CmdAnswer.running(INVOCATION));
            threads.shutdownNow();
        }
    }
}
