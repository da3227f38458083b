package io.carlos.control.boot;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.ConfigurableApplicationContext;

/** Answers a few requests of its own and ends, for the build to see which classes a start needs and to keep them ready. */
final class TrainingRun {
    private static final String HOST = "host=training.example.com";

    private TrainingRun() {}

    public static void main(String[] args) throws IOException {
        Path root = Files.createTempDirectory("control-training");
        Path sockets = Files.createDirectories(root.resolve("run/carlos-control"));
        // The build has no control groups of its own; this is how the service tells that a box has.
        Files.createFile(root.resolve("cgroup.controllers"));
        try (ConfigurableApplicationContext context = ControlService.application()
                .run(
                        "--spring.profiles.active=dev",
                        "--carlos.control.root=" + root,
                        "--carlos.control.systemctl=/bin/true",
                        "--carlos.control.cgroup-root=" + root)) {
            Path control = sockets.resolve("control.sock");
            // Twice: a class that is used for the second request alone is loaded by it too.
            for (int i = 0; i < 2; i++) {
                require(503, control, "GET /ready");
                require(204, control, "POST /reset?" + HOST + "&role=run");
                require(400, control, "POST /stop?" + HOST);
                require(503, control, "POST /start?" + HOST + "&role=run&memory_max=536870912");
                require(404, control, "GET /");
            }
            Path health = sockets.resolve("health.sock");
            require(503, health, "GET /actuator/health/readiness");
            require(200, health, "GET /actuator/health/liveness");
            require(200, health, "GET /actuator/prometheus");
            context.stop();
        } finally {
            remove(root);
        }
    }

    private static void require(int status, Path socket, String request) throws IOException {
        String answer = ask(socket, request);
        if (!answer.startsWith("HTTP/1.1 " + status + " ")) {
            throw new IllegalStateException(
                    request + ": expected " + status + ", got \"" + answer + "\"; the cache would be of no use");
        }
    }

    private static String ask(Path socket, String request) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            String text = request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            StringBuilder answer = new StringBuilder();
            ByteBuffer buffer = ByteBuffer.allocate(4096);
            while (channel.read(buffer) >= 0) {
                answer.append(StandardCharsets.UTF_8.decode(buffer.flip()));
                buffer.clear();
            }
            return answer.toString();
        }
    }

    private static void remove(Path root) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(root)) {
            files = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
