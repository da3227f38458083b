package io.carlos.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.ReadRefusedException;
import io.carlos.store.StoreUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** What the store makes of each answer, and of none, and how often it asks. */
class S3WireTest {
    private static final ObjectKey KEY = ObjectKey.of("records/a");
    private static final byte[] VALUE = "value".getBytes(StandardCharsets.UTF_8);
    private static final List<Precondition> PRECONDITIONS =
            List.of(Precondition.NONE, Precondition.CREATE_ONLY, Precondition.ifMatch("e"));
    private static final RaceRetry THREE_TIMES = new RaceRetry(3, Duration.ofMillis(1));

    private final Queue<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    // What is asked.

    @Test
    void aPreconditionIsOneHeaderOfAPutInPathStyle() throws Exception {
        WireServer server = script(Answers.ok("\"1\""), Answers.ok("\"2\""), Answers.ok("\"3\""), Answers.ok("\"4\""));
        ObjectStore store = store(server.uri());
        store.put(KEY, VALUE, Precondition.NONE);
        store.put(KEY, VALUE, Precondition.CREATE_ONLY);
        store.put(KEY, VALUE, Precondition.ifMatch("e"));
        store.put(KEY, VALUE, Precondition.ifMatch("\"e\""));
        assertThat(server.requests()).allSatisfy(request -> {
            assertThat(request.method()).isEqualTo("PUT");
            assertThat(request.target()).isEqualTo("/bucket/records/a");
            assertThat(request.body()).isEqualTo(VALUE);
        });
        assertThat(headers(server, "If-None-Match")).containsExactly("", "*", "", "");
        assertThat(headers(server, "If-Match")).containsExactly("", "", "\"e\"", "\"e\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "\"*\"", "\"\"", "a\nb", "a\"b", "a, b", "ä"})
    void anEtagThatNoServerGivesIsAConflictWithoutAsking(String etag) throws Exception {
        WireServer server = script();
        assertThatThrownBy(() -> store(server.uri()).put(KEY, VALUE, Precondition.ifMatch(etag)))
                .isInstanceOf(CasConflictException.class);
        assertThat(server.requests()).isEmpty();
    }

    // Etags.

    @ParameterizedTest
    @ValueSource(strings = {"\"e\"", "e"})
    void anEtagIsWithoutQuotesWhetherTheServerQuotesOrNot(String header) throws Exception {
        ObjectStore store =
                store(script(Answers.ok(header), Answers.value(header, "value"), Answers.value(header, "value"))
                        .uri());
        assertThat(store.put(KEY, VALUE, Precondition.NONE)).isEqualTo("e");
        assertThat(store.get(KEY).orElseThrow().etag()).isEqualTo("e");
        assertThat(store.getUnlessMatch(KEY, "other"))
                .isInstanceOfSatisfying(
                        ConditionalRead.Changed.class,
                        changed -> assertThat(changed.object().etag()).isEqualTo("e"));
    }

    @Test
    void aPutWithoutAnEtagInItsAnswerIsAmbiguous() throws Exception {
        ObjectStore store = store(script(Answers.status(200)).uri());
        assertThatThrownBy(() -> store.put(KEY, VALUE, Precondition.NONE))
                .isInstanceOf(AmbiguousWriteException.class)
                .hasMessageContaining("no etag");
    }

    // Refusals of writes.

    @Test
    void status412IsAConflictOfAConditionalPut() throws Exception {
        WireServer server = script(Answers.error(412, "PreconditionFailed"), Answers.error(412, "PreconditionFailed"));
        ObjectStore store = store(server.uri());
        assertThatThrownBy(() -> store.put(KEY, VALUE, Precondition.CREATE_ONLY))
                .isInstanceOf(CasConflictException.class)
                .hasMessage("put records/a: conflict: expected no value, found one");
        assertThatThrownBy(() -> store.put(KEY, VALUE, Precondition.ifMatch("e")))
                .isInstanceOf(CasConflictException.class)
                .hasMessage("put records/a: conflict: expected etag e, found another");
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void status404OfAnIfMatchIsAConflict() throws Exception {
        ObjectStore store = store(script(Answers.error(404, "NoSuchKey")).uri());
        assertThatThrownBy(() -> store.put(KEY, VALUE, Precondition.ifMatch("e")))
                .isInstanceOf(CasConflictException.class)
                .hasMessageContaining("found no value");
    }

    @Test
    void aMissingBucketIsNeitherAConflictNorAnAbsentKey() throws Exception {
        WireServer server = always(Answers.error(404, "NoSuchBucket"));
        ObjectStore store = store(server.uri());
        for (Precondition precondition : PRECONDITIONS) {
            assertUnavailable(() -> store.put(KEY, VALUE, precondition), "NoSuchBucket");
        }
        assertUnavailable(() -> store.get(KEY), "NoSuchBucket");
        assertUnavailable(() -> store.getUnlessMatch(KEY, "e"), "NoSuchBucket");
        assertUnavailable(() -> store.list("", "", 1), "NoSuchBucket");
    }

    @ParameterizedTest
    @CsvSource({"400,RequestTimeout", "403,AccessDenied", "403,RequestTimeTooSkewed", "409,OperationAborted", "429,Slow"
    })
    void anyOtherRefusalIsUnavailableAfterOneRequest(int status, String code) throws Exception {
        for (Precondition precondition : PRECONDITIONS) {
            WireServer server = always(Answers.error(status, code));
            assertUnavailable(() -> store(server.uri()).put(KEY, VALUE, precondition), code);
            assertThat(server.requests()).hasSize(1);
        }
    }

    // Two writes at once.

    @ParameterizedTest
    @ValueSource(strings = {"ConditionalRequestConflict", "ConcurrentModification"})
    void aWriteThatMetAnotherIsTriedAgain(String code) throws Exception {
        for (Precondition precondition : PRECONDITIONS) {
            WireServer server = script(Answers.error(409, code), Answers.error(409, code), Answers.ok("\"e\""));
            assertThat(store(server.uri()).put(KEY, VALUE, precondition)).isEqualTo("e");
            assertThat(server.requests()).hasSize(3);
            assertThat(server.requests()).allSatisfy(r -> assertThat(r.body()).isEqualTo(VALUE));
        }
    }

    @Test
    void aWriteThatMetAnotherAndThenFindsTheKeyTakenIsAConflict() throws Exception {
        ObjectStore store =
                store(script(Answers.error(409, "ConditionalRequestConflict"), Answers.error(412, "PreconditionFailed"))
                        .uri());
        assertThatThrownBy(() -> store.put(KEY, VALUE, Precondition.CREATE_ONLY))
                .isInstanceOf(CasConflictException.class);
    }

    @Test
    void aWriteThatMeetsAnotherAtEachAttemptHasWrittenNothing() throws Exception {
        WireServer server = always(Answers.error(409, "ConditionalRequestConflict"));
        assertUnavailable(() -> store(server.uri()).put(KEY, VALUE, Precondition.CREATE_ONLY), "nothing was written");
        assertThat(server.requests()).hasSize(THREE_TIMES.attempts());
    }

    @Test
    void anInterruptEndsTheAttemptsAndStaysPending() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        WireServer server = opened(WireServer.answering(request -> {
            asked.countDown();
            return Answers.error(409, "ConditionalRequestConflict");
        }));
        ObjectStore store = opened(
                S3ObjectStore.open(settings(server.uri()), credentials(), new RaceRetry(1000, Duration.ofDays(1))));
        Thread writer = Thread.ofVirtual().unstarted(() -> {
            assertUnavailable(() -> store.put(KEY, VALUE, Precondition.CREATE_ONLY), "");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        Throwable[] thrown = new Throwable[1];
        writer.setUncaughtExceptionHandler((thread, e) -> thrown[0] = e);
        writer.start();
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        // It waits for the answer first, where an interrupt leaves the outcome unknown.
        while (!isIn(writer, "slept") && writer.isAlive()) {
            Thread.onSpinWait();
        }
        writer.interrupt();
        assertThat(writer.join(Duration.ofSeconds(10))).isTrue();
        assertThat(thrown[0]).isNull();
    }

    private static boolean isIn(Thread thread, String method) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }

    // Unknown outcomes.

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void aServerErrorOfAWriteIsAmbiguousAfterOneRequest(int status) throws Exception {
        for (Precondition precondition : PRECONDITIONS) {
            WireServer server = always(Answers.error(status, "InternalError"));
            assertAmbiguous(() -> store(server.uri()).put(KEY, VALUE, precondition));
            assertThat(server.requests()).hasSize(1);
        }
        WireServer server = always(Answers.error(status, "InternalError"));
        assertAmbiguous(() -> store(server.uri()).delete(KEY));
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aLostAnswerOfAWriteIsAmbiguousAfterOneRequest() throws Exception {
        for (Precondition precondition : PRECONDITIONS) {
            for (byte[] value : List.of(VALUE, new byte[0], new byte[1 << 19])) {
                WireServer server = always(new WireServer.Answer.Lost());
                assertAmbiguous(() -> store(server.uri()).put(KEY, value, precondition));
                assertThat(server.requests()).hasSize(1);
            }
        }
        WireServer server = always(new WireServer.Answer.Lost());
        assertAmbiguous(() -> store(server.uri()).delete(KEY));
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aLostAnswerOnAConnectionThatWasUsedBeforeIsNotAskedForAgain() throws Exception {
        for (Precondition precondition : PRECONDITIONS) {
            WireServer server = script(Answers.ok("\"e\""), new WireServer.Answer.Lost(), Answers.ok("\"f\""));
            ObjectStore store = store(server.uri());
            store.put(KEY, VALUE, precondition);
            assertAmbiguous(() -> store.put(KEY, VALUE, precondition));
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void anAnswerThatDoesNotComeInTimeIsAmbiguousAfterOneRequest() throws Exception {
        S3Settings impatient = settings(URI.create("http://127.0.0.1:1"))
                .withTimeouts(Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofSeconds(20));
        S3Settings impatientInAll = settings(URI.create("http://127.0.0.1:1"))
                .withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ofSeconds(1));
        for (S3Settings settings : List.of(impatient, impatientInAll)) {
            WireServer server = always(new WireServer.Answer.Silence());
            ObjectStore store = opened(S3ObjectStore.open(settings.at(server.uri(), true), credentials()));
            assertAmbiguous(() -> store.put(KEY, VALUE, Precondition.CREATE_ONLY));
            assertThat(server.requests()).hasSize(1);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    // Writes that did not get out.

    @Test
    void aServerThatIsNotThereIsUnavailable() throws Exception {
        URI nobody;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = URI.create("http://127.0.0.1:" + closed.getLocalPort());
        }
        ObjectStore store = store(nobody);
        for (Precondition precondition : PRECONDITIONS) {
            assertUnavailable(() -> store.put(KEY, VALUE, precondition), "put records/a");
            assertUnavailable(() -> store.put(KEY, new byte[0], precondition), "put records/a");
        }
        assertUnavailable(() -> store.delete(KEY), "delete records/a");
        assertUnavailable(() -> store.get(KEY), "get records/a");
    }

    @Test
    void aConnectionThatIsLostBeforeTheBodyIsOutIsUnavailable() throws Exception {
        WireServer server = opened(WireServer.hangingUpAfterTheHead());
        // More than the kernel keeps for a connection.
        byte[] large = new byte[ObjectStore.MAX_VALUE_BYTES];
        assertUnavailable(() -> store(server.uri()).put(KEY, large, Precondition.CREATE_ONLY), "put records/a");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aPutThatGetsNoConnectionOfThePoolIsUnavailable() throws Exception {
        WireServer server = always(new WireServer.Answer.Silence());
        ObjectStore store = opened(S3ObjectStore.open(
                settings(server.uri())
                        .withMaxConnections(1)
                        .withTimeouts(Duration.ofMillis(200), Duration.ofSeconds(60), Duration.ofSeconds(60)),
                credentials()));
        Thread first = Thread.ofVirtual().start(() -> assertThatThrownBy(() -> store.get(KEY)));
        while (server.requests().isEmpty()) {
            Thread.onSpinWait();
        }
        assertUnavailable(() -> store.put(KEY, VALUE, Precondition.NONE), "put records/a");
        assertThat(server.requests()).hasSize(1);
        server.close();
        assertThat(first.join(Duration.ofSeconds(10))).isTrue();
    }

    // Reads.

    @Test
    void status304IsUnchangedAndSoIsTheSameEtagFromAServerThatIgnoresTheCondition() throws Exception {
        WireServer server = script(Answers.status(304), Answers.value("\"e\"", "value"));
        ObjectStore store = store(server.uri());
        assertThat(store.getUnlessMatch(KEY, "e")).isEqualTo(new ConditionalRead.Unchanged());
        assertThat(store.getUnlessMatch(KEY, "e")).isEqualTo(new ConditionalRead.Unchanged());
        assertThat(headers(server, "If-None-Match")).containsExactly("\"e\"", "\"e\"");
    }

    @Test
    void aReadThatFailsOrBreaksOffIsUnavailableAfterOneRequest() throws Exception {
        for (WireServer.Answer answer : List.of(
                Answers.error(500, "InternalError"),
                Answers.error(403, "AccessDenied"),
                Answers.brokenOff("\"e\"", "val"),
                new WireServer.Answer.Lost())) {
            WireServer server = always(answer);
            assertUnavailable(() -> store(server.uri()).get(KEY), "get records/a");
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void aValueThatNoStoreWroteForItsSizeIsUnavailable() throws Exception {
        ObjectStore store = store(always(Answers.value("\"e\"", "x".repeat(ObjectStore.MAX_VALUE_BYTES + 1)))
                .uri());
        assertUnavailable(() -> store.get(KEY), "over 16777216 bytes");
    }

    // Listings.

    @Test
    void aListingGoesOnOverPagesAndNamesThatAreNoKeys() throws Exception {
        WireServer server =
                script(Answers.page(true, "a", "b/", "c"), Answers.page(true, "d/"), Answers.page(false, "e"));
        List<ListedObject> rows = store(server.uri()).list("", "0", 3);
        assertThat(rows).extracting(row -> row.key().value()).containsExactly("a", "c", "e");
        assertThat(rows).extracting(ListedObject::etag).containsOnly("e");
        assertThat(server.requests())
                .extracting(request -> request.target().replaceFirst(".*start-after=([^&]*).*", "$1"))
                .containsExactly("0", "c", "d%2F");
    }

    // Fixtures.

    private WireServer script(WireServer.Answer... answers) throws IOException {
        Queue<WireServer.Answer> left = new ArrayDeque<>(List.of(answers));
        return opened(WireServer.answering(request -> {
            synchronized (left) {
                return left.remove();
            }
        }));
    }

    private WireServer always(WireServer.Answer answer) throws IOException {
        return opened(WireServer.answering(request -> answer));
    }

    private ObjectStore store(URI server) {
        return opened(S3ObjectStore.open(settings(server), credentials(), THREE_TIMES));
    }

    private static S3Settings settings(URI server) {
        return S3Settings.of("bucket", "us-east-1").at(server, true);
    }

    @Test
    void aReadThatIsDeniedIsRefusedForThatObject() throws Exception {
        WireServer server = script(Answers.error(403, "AccessDenied"), Answers.error(403, "AccessDenied"));
        ObjectStore store = store(server.uri());
        assertThatThrownBy(() -> store.get(KEY)).isInstanceOf(ReadRefusedException.class);
        assertThatThrownBy(() -> store.getUnlessMatch(KEY, "e")).isInstanceOf(ReadRefusedException.class);
    }

    @Test
    void aCallerThatIsRefusedIsNotRefusedForOneObject() throws Exception {
        WireServer server = script(Answers.error(403, "SignatureDoesNotMatch"), Answers.error(403, "AccessDenied"));
        ObjectStore store = store(server.uri());
        assertThatThrownBy(() -> store.get(KEY)).isExactlyInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.list("", "", 1)).isExactlyInstanceOf(StoreUnavailableException.class);
    }

    private static StaticCredentialsProvider credentials() {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret"));
    }

    private <T extends AutoCloseable> T opened(T one) {
        opened.add(one);
        return one;
    }

    private static List<String> headers(WireServer server, String name) {
        return server.requests().stream().map(r -> r.header(name).orElse("")).toList();
    }

    private static void assertUnavailable(Runnable call, String text) {
        assertThatThrownBy(call::run)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(text);
    }

    private static void assertAmbiguous(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(AmbiguousWriteException.class);
    }
}
