package io.carlos.control.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.peer.Verdict;
import io.carlos.control.request.Endpoint;
import io.carlos.control.testing.Await;
import io.carlos.control.testing.RawClient;
import io.carlos.model.control.Problem;
import io.carlos.model.json.CarlosJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one peer can take, over raw connections. */
@Timeout(60)
class ServerLimitsTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger waits = new AtomicInteger();

    @TempDir
    private Path directory;

    private ServedEndpoints served;

    private ServedEndpoints serve(Duration headTime, Duration idle) throws Exception {
        List<Endpoint> endpoints = List.of(
                new Endpoint("ping", Endpoint.Method.GET, "/ping", false, List.of(), query -> null),
                new Endpoint("do", Endpoint.Method.POST, "/do", true, List.of(), query -> List.of("done")),
                new Endpoint("fail", Endpoint.Method.POST, "/fail", true, List.of(), query -> {
                    throw new IllegalStateException("planned");
                }),
                new Endpoint("wait", Endpoint.Method.POST, "/wait", true, List.of(), query -> {
                    waits.incrementAndGet();
                    release.await();
                    return null;
                }));
        served = new ServedEndpoints(
                ListeningSocket.at(directory.resolve("s")),
                socket -> CompletableFuture.completedFuture(new Verdict.Admitted()),
                new ServerLimits(64, 8 * 1024, headTime, idle),
                endpoints);
        return served.start();
    }

    private RawClient connect() throws Exception {
        return RawClient.connect(directory.resolve("s"));
    }

    @AfterEach
    void stop() {
        release.countDown();
        if (served != null) {
            served.close();
        }
    }

    private static Problem problem(RawClient.Answer answer) {
        assertThat(answer.header("content-type")).contains(Problem.MEDIA_TYPE);
        Problem problem = CarlosJson.read("answer", answer.body().getBytes(StandardCharsets.UTF_8), Problem.class);
        assertThat(problem.status()).isEqualTo(answer.status());
        return problem;
    }

    private static void assertIsClosed(RawClient client) {
        assertThat(client.end().bytes()).isZero();
    }

    /** A request of exactly so many bytes up to the empty line. */
    private static String headOf(int bytes) {
        String start = "GET /ping HTTP/1.1\r\nhost: localhost\r\nx: ";
        return start + "a".repeat(bytes - start.length() - 4) + "\r\n\r\n";
    }

    @Test
    void aHeadOfTheLimitIsReadAndALongerOneRefused() throws Exception {
        serve(LONG, LONG);

        try (RawClient client = connect()) {
            assertThat(client.send(headOf(8 * 1024)).answer().status()).isEqualTo(204);
            assertThat(problem(client.send(headOf(8 * 1024 + 20)).answer()).status())
                    .isEqualTo(431);
            assertIsClosed(client);
        }
    }

    @Test
    void aHeadThatNeverEndsIsRefusedAtTheLimit() throws Exception {
        serve(LONG, LONG);

        try (RawClient client = connect()) {
            client.send("GET /ping HTTP/1.1\r\nx: " + "a".repeat(10_000));
            assertThat(problem(client.answer()).status()).isEqualTo(431);
        }
        try (RawClient client = connect()) {
            client.send("GET /" + "a".repeat(10_000));
            assertThat(problem(client.answer()).status()).isEqualTo(431);
        }
    }

    @Test
    void aHeadThatIsNotCompleteInTimeEndsItsConnectionAlone() throws Exception {
        serve(SHORT, LONG);

        try (RawClient slow = connect().send("GET /pi");
                RawClient silent = connect();
                RawClient other = connect()) {
            assertThat(other.request("GET /ping").answer().status()).isEqualTo(204);
            assertIsClosed(slow);
            assertThat(other.request("GET /ping").answer().status()).isEqualTo(204);
            assertThat(silent.request("GET /ping").answer().status()).isEqualTo(204);
        }
    }

    @Test
    void aSecondHeadHasItsTimeToo() throws Exception {
        serve(SHORT, LONG);

        try (RawClient client = connect()) {
            assertThat(client.request("GET /ping").answer().status()).isEqualTo(204);
            client.send("GET /ping HTT");
            assertIsClosed(client);
        }
    }

    @Test
    void idleConnectionsAreClosed() throws Exception {
        serve(LONG, SHORT);

        try (RawClient silent = connect();
                RawClient answered = connect()) {
            assertThat(answered.request("GET /ping").answer().status()).isEqualTo(204);
            assertIsClosed(answered);
            assertIsClosed(silent);
        }
    }

    @Test
    void aConnectionThatWaitsForItsAnswerIsNotIdle() throws Exception {
        serve(SHORT, SHORT);

        try (RawClient waiting = connect().request("POST /wait");
                RawClient idle = connect()) {
            assertIsClosed(idle);
            release.countDown();
            assertThat(waiting.answer().status()).isEqualTo(204);
        }
    }

    @Test
    void requestsThatWaitKeepNobodyElse() throws Exception {
        serve(LONG, LONG);

        List<RawClient> waiting = new ArrayList<>();
        for (int i = 0; i < 63; i++) {
            waiting.add(connect().request("POST /wait"));
        }
        try (RawClient other = connect()) {
            assertThat(other.request("POST /do").answer().body()).isEqualTo("[\"done\"]");
        }
        release.countDown();
        for (RawClient client : waiting) {
            assertThat(client.answer().status()).isEqualTo(204);
            client.close();
        }
    }

    @Test
    void aBodyIsIgnoredAndEndsTheConnection() throws Exception {
        serve(SHORT, LONG);

        for (String body : List.of(
                "Content-Length: 5\r\n\r\nhello",
                "Content-Length: 1000000\r\n\r\npart",
                "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n")) {
            try (RawClient client = connect()) {
                RawClient.Answer answer =
                        client.send("POST /do HTTP/1.1\r\nHost: x\r\n" + body).answer();
                assertThat(answer.status()).as(body).isEqualTo(200);
                assertThat(answer.header("connection")).contains("close");
                assertIsClosed(client);
            }
        }
    }

    @Test
    void aBodyDoesNotCutShortAnEndpointThatTakesItsTime() throws Exception {
        serve(SHORT, SHORT);

        try (RawClient client = connect().send("POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nbo");
                RawClient idle = connect()) {
            client.send("dy");
            assertIsClosed(idle);
            release.countDown();
            assertThat(client.answer().status()).isEqualTo(204);
        }
    }

    @Test
    void aRequestThatIsNoneIsAProblem() throws Exception {
        serve(LONG, LONG);

        for (String request : List.of(
                "HELLO\r\n\r\n",
                "GET /ping HTTP/1.1\r\nno colon\r\n\r\n",
                "GET http://x/ping HTTP/1.1\r\n\r\n",
                "GET /pi|ng HTTP/1.1\r\n\r\n",
                "GET /ping?a=%zz HTTP/1.1\r\n\r\n",
                "GET //ping HTTP/1.1\r\n\r\n",
                "POST /do HTTP/1.1\r\nContent-Length: many\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n")) {
            try (RawClient client = connect().send(request)) {
                assertThat(problem(client.answer()).status()).as(request).isEqualTo(400);
                assertIsClosed(client);
            }
        }
    }

    @Test
    void aPathThatIsNoneAndAMethodThatIsNotTakenAreProblems() throws Exception {
        serve(LONG, LONG);

        try (RawClient client = connect()) {
            assertThat(problem(client.request("GET /nothing").answer()).status())
                    .isEqualTo(404);
            assertThat(problem(client.request("GET /ping/").answer()).status()).isEqualTo(404);
            RawClient.Answer answer = client.request("POST /ping").answer();
            assertThat(problem(answer).status()).isEqualTo(405);
            assertThat(answer.header("allow")).contains("GET");
        }
    }

    @Test
    void anUnknownParameterIsAProblem() throws Exception {
        serve(LONG, LONG);

        try (RawClient client = connect()) {
            Problem problem =
                    problem(client.request("GET /ping?host=a.example.com").answer());
            assertThat(problem.status()).isEqualTo(400);
            assertThat(problem.detail()).contains("\"host\"");
        }
    }

    @Test
    void aDefectIsAProblemThatTellsNothingOfIt() throws Exception {
        serve(LONG, LONG);

        try (RawClient client = connect()) {
            Problem problem = problem(client.request("POST /fail").answer());
            assertThat(problem.status()).isEqualTo(500);
            assertThat(problem.detail()).doesNotContain("planned");
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        serve(LONG, LONG);

        String requests = "POST /do HTTP/1.1\r\nHost: x\r\n\r\nGET /ping HTTP/1.1\r\nHost: x\r\n\r\n";
        try (RawClient client = connect().send(requests)) {
            assertThat(client.answer().status()).isEqualTo(200);
            assertThat(client.answer().status()).isEqualTo(204);
        }
    }

    @Test
    void aGracefulShutdownWaitsForAnswersAndTakesNoNewConnection() throws Exception {
        serve(LONG, LONG);
        CompletableFuture<Void> drained = new CompletableFuture<>();
        try (RawClient waiting = connect().request("POST /wait")) {
            Await.until("the request is under way", () -> waits.get() == 1);

            served.server.shutDownGracefully(result -> drained.complete(null));

            assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
            assertThat(drained).isNotDone();
            release.countDown();
            assertThat(waiting.answer().status()).isEqualTo(204);
            drained.get();
        }
    }

    @Test
    void everyOutcomeIsCounted() throws Exception {
        serve(LONG, LONG);

        try (RawClient client = connect()) {
            client.request("POST /do").answer();
            client.request("POST /do?x=1").answer();
        }
        assertThat(served.registry
                        .get("carlos.control.verb")
                        .tags("verb", "do", "outcome", "ok")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(served.registry
                        .get("carlos.control.verb")
                        .tags("verb", "do", "outcome", "bad_request")
                        .timer()
                        .count())
                .isEqualTo(1);
    }
}
