package io.carlos.agent.fleet;

import io.carlos.agent.service.AgentApplication;
import io.carlos.store.location.StoreLocation;
import io.carlos.store.s3.S3Server;
import io.carlos.store.s3.S3Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An agent of a fleet, the real service as a JVM of its own, which a test can freeze, kill and start again. */
final class FleetAgent implements AutoCloseable {
    private final Process process;
    private final Path log;

    private FleetAgent(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts one.
     *
     * @param endpoint the server, or a proxy before it
     * @param directory takes its data and its log
     * @param properties further ones, without their prefix
     */
    static FleetAgent start(S3Server.Endpoint server, URI endpoint, String box, Path directory, String... properties)
            throws IOException {
        S3Settings settings = S3Settings.of(server.bucket(), server.region()).at(endpoint, true);
        Map<String, String> credentials =
                Map.of("AWS_ACCESS_KEY_ID", server.accessKey(), "AWS_SECRET_ACCESS_KEY", server.secretKey());
        return start(new StoreLocation.InBucket(settings), credentials, box, directory, properties);
    }

    /**
     * Starts one over any store.
     *
     * @param environment what it has beside this process's own
     */
    static FleetAgent start(
            StoreLocation store, Map<String, String> environment, String box, Path directory, String... properties)
            throws IOException {
        Path data = Files.createDirectories(directory.resolve(box).resolve("data"));
        Files.createDirectories(data.resolve("instances"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                AgentApplication.class.getName(),
                "--logging.config=classpath:agent-process-logback.xml",
                "--spring.profiles.active=box",
                "--carlos.agent.store=" + store,
                "--carlos.agent.box=" + box,
                "--carlos.agent.isolations=process",
                "--carlos.agent.data=" + data,
                "--carlos.agent.run=" + directory.resolve(box).resolve("run")));
        for (String property : properties) {
            command.add("--carlos.agent." + property);
        }
        Path log = directory.resolve(box + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return new FleetAgent(builder.start(), log);
    }

    /** Waits until its log has a text. */
    void awaitSaid(String text) throws IOException, InterruptedException {
        Patience.await("an agent that says: " + text + "; its log: " + log, () -> said(text) || !process.isAlive());
        if (!said(text)) {
            throw new AssertionError("the agent ended: " + log());
        }
    }

    /** Waits until it has proven its store and is at work. */
    void awaitReady() throws IOException, InterruptedException {
        Patience.await(
                "an agent at work; its log: " + log, () -> said("Started AgentApplication") || !process.isAlive());
        if (!process.isAlive()) {
            throw new AssertionError("the agent ended: " + log());
        }
    }

    boolean said(String text) throws IOException {
        return log().contains(text);
    }

    String log() throws IOException {
        return Files.readString(log, StandardCharsets.UTF_8);
    }

    Process process() {
        return process;
    }

    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    void kill() {
        process.destroyForcibly();
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (exit != 0) {
            throw new AssertionError("kill -" + name + " failed: exit " + exit);
        }
    }

    /** Ends it as kill -9 does. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
