package io.carlos.store.s3;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * A real S3 server for tests, started once in a JVM and gone with it. Where it cannot be started, tests that ask for it are
 * skipped and print why; with {@code CARLOS_REQUIRE_S3=1} in the environment they fail instead.
 */
public final class S3Server implements ExecutionCondition, ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(S3Server.class);

    /** A running server, as a test takes it for a parameter. */
    public record Endpoint(URI server, String region, String bucket, String accessKey, String secretKey) {
        /** With more patience than usual, since this machine may be busy with the rest of a build. */
        public S3Settings settings() {
            return S3Settings.of(bucket, region)
                    .at(server, true)
                    .withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(60), Duration.ofSeconds(120));
        }

        public StaticCredentialsProvider credentials() {
            return StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey));
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String problem = started(context).problem;
        if (problem.isEmpty()) {
            return ConditionEvaluationResult.enabled("there is an S3 server");
        }
        if ("1".equals(System.getenv("CARLOS_REQUIRE_S3"))) {
            throw new AssertionError("CARLOS_REQUIRE_S3 is set, but there is no S3 server: " + problem);
        }
        System.out.println("skipped: " + context.getDisplayName() + ": no S3 server: " + problem);
        return ConditionEvaluationResult.disabled("no S3 server: " + problem);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Endpoint.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return started(context).endpoint;
    }

    private static Started started(ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent("server", key -> Started.start(), Started.class);
    }

    /** The server's script, which stops the server when its input ends, so also when this JVM is killed. */
    private record Started(Process process, Endpoint endpoint, String problem) implements AutoCloseable {
        static Started start() {
            try {
                Path script = script();
                Path work = Files.createTempDirectory("carlos-s3-");
                Path errors = Files.createTempFile("carlos-s3-", ".log");
                Process process = new ProcessBuilder(script.toString(), "run", work.toString())
                        .redirectError(errors.toFile())
                        .start();
                Map<String, String> answer = answer(process);
                String said = Files.readString(errors);
                Files.delete(errors);
                if (!answer.containsKey("CARLOS_S3_ENDPOINT")) {
                    process.destroy();
                    Files.deleteIfExists(work);
                    return new Started(null, null, said.isBlank() ? script + " gave no endpoint" : said.strip());
                }
                Endpoint endpoint = new Endpoint(
                        URI.create(answer.get("CARLOS_S3_ENDPOINT")),
                        answer.get("CARLOS_S3_REGION"),
                        answer.get("CARLOS_S3_BUCKET"),
                        answer.get("AWS_ACCESS_KEY_ID"),
                        answer.get("AWS_SECRET_ACCESS_KEY"));
                return new Started(process, endpoint, "");
            } catch (IOException e) {
                return new Started(null, null, e.toString());
            }
        }

        private static Path script() throws IOException {
            for (Path up = Path.of("").toAbsolutePath(); up != null; up = up.getParent()) {
                Path script = up.resolve("deploy/s3/s3-server");
                if (Files.isExecutable(script)) {
                    return script;
                }
            }
            throw new IOException(
                    "no deploy/s3/s3-server in a directory above " + Path.of("").toAbsolutePath());
        }

        /** Ends with an empty line, or with the script, whose waits are bounded. */
        private static Map<String, String> answer(Process process) throws IOException {
            Map<String, String> answer = new HashMap<>();
            BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
            String line = lines.readLine();
            while (line != null && !line.isEmpty()) {
                String[] pair = line.split("=", 2);
                answer.put(pair[0], pair[1]);
                line = lines.readLine();
            }
            return answer;
        }

        @Override
        public void close() throws IOException {
            if (process == null) {
                return;
            }
            process.getOutputStream().close();
            try {
                process.onExit().get(30, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("the S3 server did not stop within 30 seconds", e);
            } catch (InterruptedException e) {
                // It stops all the same, since its input has ended.
                Thread.currentThread().interrupt();
            }
        }
    }
}
