package io.carlos.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The real agent of the box b1 in the region eu, over a directory store, with all that it has below one directory. */
public final class AgentProcess {
    private static final Path AGENT =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolveSibling("agent-service/target");
    private static final int STOP_SECONDS = 60;

    private final Path directory;
    private final Process process;

    private AgentProcess(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    /**
     * Returns when it serves.
     *
     * @param settings more of what an operator sets, as arguments of the agent
     */
    public static AgentProcess start(Path directory, String... settings) throws Exception {
        return start(directory, List.of("-jar", jar().toString()), settings);
    }

    /** Its virtual machines are processes of this one, which find a workspace where it is here; it runs nothing else. */
    public static AgentProcess startWithHostMachines(Path directory) throws Exception {
        String classPath = Stream.of("app/*", "app/lib/*", "test-classes", "../../guest-supervisor/target/classes")
                .map(part -> AGENT.resolve(part).normalize().toString())
                .collect(Collectors.joining(":"));
        return start(
                directory,
                List.of("-classpath", classPath, "io.carlos.agent.service.AgentApplication"),
                "--spring.main.sources=io.carlos.agent.service.vm.HostMachines",
                "--carlos.agent.isolations=process");
    }

    private static AgentProcess start(Path directory, List<String> program, String... settings) throws Exception {
        Path store = directory.resolve("store");
        DirectoryObjectStore.open(store).close();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(), "--enable-native-access=ALL-UNNAMED"));
        command.addAll(program);
        command.addAll(List.of(
                "--spring.profiles.active=box",
                "--carlos.agent.store=" + store,
                "--carlos.agent.data=" + directory.resolve("data"),
                "--carlos.agent.run=" + directory.resolve("run"),
                "--carlos.agent.box=b1",
                "--carlos.agent.region=eu"));
        command.addAll(List.of(settings));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("agent.log").toFile())
                .start();
        AgentProcess agent = new AgentProcess(directory, process);
        CarlosProcess.await("the agent's socket", () -> Files.exists(agent.socket()) || !process.isAlive());
        assertThat(process.isAlive()).as(agent.log()).isTrue();
        return agent;
    }

    private static Path jar() throws IOException {
        try (Stream<Path> files = Files.list(AGENT)) {
            return files.filter(file -> file.getFileName().toString().endsWith("-app.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException(AGENT + ": no agent-service-*-app.jar; package it first"));
        }
    }

    public Path socket() {
        return directory.resolve("run/agent/agent.sock");
    }

    public Path store() {
        return directory.resolve("store");
    }

    public String log() throws IOException {
        return Files.readString(directory.resolve("agent.log"));
    }

    /** As systemd does; it leaves no socket. */
    public void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        assertThat(socket()).doesNotExist();
    }
}
