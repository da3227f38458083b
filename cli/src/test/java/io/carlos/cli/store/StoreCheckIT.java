package io.carlos.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import io.carlos.store.s3.FaultProxy;
import io.carlos.store.s3.S3Server;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

class StoreCheckIT {
    @TempDir
    private Path directory;

    @Test
    void aDirectoryIsAcceptedWithALineForEachCheck() throws Exception {
        Path store = Files.createDirectory(directory.resolve("store"));
        CarlosProcess carlos = CarlosProcess.run(directory, "store", "check", "--store", store.toString());
        assertThat(carlos.exit()).as(carlos.err()).isZero();
        assertThat(carlos.out())
                .startsWith("VERDICT")
                .hasLineCount(12)
                .contains("passed", "create-only")
                .contains("skipped");
    }

    @Test
    void aStoreThatIsNotThereIsToldApartFromOneThatIsWrong() throws Exception {
        CarlosProcess nowhere = CarlosProcess.run(directory, "store", "check", "--store", "nowhere");
        assertThat(nowhere.exit()).isEqualTo(69);
        assertThat(nowhere.err()).contains("there is no store at");
        CarlosProcess nonsense = CarlosProcess.run(directory, "store", "check", "--store", "s3://fleet");
        assertThat(nonsense.exit()).isEqualTo(64);
        assertThat(nonsense.err()).contains("needs its region");
    }

    @ExtendWith(S3Server.class)
    @Nested
    class InABucket {
        private final S3Server.Endpoint server;
        private final Map<String, String> credentials;

        InABucket(S3Server.Endpoint server) {
            this.server = server;
            this.credentials =
                    Map.of("AWS_ACCESS_KEY_ID", server.accessKey(), "AWS_SECRET_ACCESS_KEY", server.secretKey());
        }

        @Test
        void aRightServerIsAccepted() throws Exception {
            CarlosProcess carlos = check(server.server(), "--output", "json");
            assertThat(carlos.exit()).as(carlos.err() + carlos.out()).isZero();
            assertThat(carlos.out())
                    .contains("\"accepted\":true", "\"check\":\"counter-race\",\"verdict\":\"passed\"")
                    .doesNotContain("skipped");
        }

        @Test
        void aServerWhoseAnswersToWritesAreLostIsRefusedInOneSentence() throws Exception {
            try (FaultProxy proxy = new FaultProxy(server.server(), 1, Map.of(FaultProxy.Fault.LOSE_ANSWER, 1.0))) {
                CarlosProcess carlos = check(proxy.uri());
                assertThat(carlos.exit()).isEqualTo(1);
                assertThat(carlos.err())
                        .startsWith("carlos: the store is refused: s3://")
                        .hasLineCount(1);
            }
        }

        private CarlosProcess check(URI endpoint, String... more) throws Exception {
            String store = "s3://" + server.bucket() + "?endpoint=" + endpoint;
            String[] arguments = Stream.concat(Stream.of("store", "check", "--store", store), Stream.of(more))
                    .toArray(String[]::new);
            return CarlosProcess.run(directory, credentials, arguments);
        }
    }
}
