package io.carlos.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import io.carlos.cli.agent.AgentProcess;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.testing.GuestCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A real agent that boots virtual machines, one instance of it, and the real command line. */
final class MicroVmBox {
    /** An emulated machine takes a minute to boot on a busy one, and more on a very busy one. */
    static final Duration BOUND = Duration.ofMinutes(10);

    private static final String HOST = "vm.example.com";

    private final Path directory;
    private final AgentProcess agent;

    private MicroVmBox(Path directory, AgentProcess agent) {
        this.directory = directory;
        this.agent = agent;
    }

    /** @param settings more of what an operator sets, as arguments of the agent */
    static MicroVmBox start(Path directory, String... settings) throws Exception {
        GuestCache cache = GuestCache.require();
        List<String> all = new ArrayList<>(List.of(
                "--carlos.agent.isolations=microvm",
                "--carlos.agent.microvm.image=" + cache.image(),
                "--carlos.agent.microvm.tools=" + cache.tools(),
                "--carlos.agent.microvm.accelerator=" + (GuestCache.mustEmulate() ? "tcg" : "kvm"),
                "--carlos.agent.microvm.boot-budget=" + BOUND.toMinutes() + "m"));
        all.addAll(List.of(settings));
        MicroVmBox box = new MicroVmBox(directory, AgentProcess.start(directory, all.toArray(String[]::new)));
        CarlosProcess created = CarlosProcess.run(
                directory,
                "instances",
                "create",
                HOST,
                "--account",
                "acme",
                "--app",
                "web",
                "--region",
                "eu",
                "--isolation",
                "microvm",
                "--store",
                box.agent.store().toString());
        assertThat(created.exit()).as(created.err()).isZero();
        return box;
    }

    /** Begins {@code carlos run} for the instance. */
    CarlosProcess run(String... arguments) throws IOException {
        return CarlosProcess.start(
                directory,
                Stream.concat(
                                Stream.of(
                                        "run",
                                        "--host",
                                        HOST,
                                        "--store",
                                        agent.store().toString()),
                                Stream.of(arguments))
                        .toArray(String[]::new));
    }

    /** What the agent has logged up to now. */
    String log() {
        try {
            return agent.log();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path sessions() {
        return directory.resolve("run/agent/microvm");
    }

    /** Of the instance; it is there when a run was. */
    Path data() throws IOException {
        try (Stream<Path> instances = Files.list(directory.resolve("data/instances"))) {
            return instances.findFirst().orElseThrow();
        }
    }

    record CommandLine(int pid, String text) {}

    /** Of all processes that have to do with sessions. */
    List<CommandLine> programs() throws IOException {
        return ProcFs.processes().stream()
                .filter(process -> !process.isDead())
                .map(ProcessStat::pid)
                .map(pid -> new CommandLine(pid, commandLine(pid)))
                .filter(line -> line.text().contains(sessions().toString()))
                .toList();
    }

    private static String commandLine(int pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it ended meanwhile
        }
    }

    void stop() throws InterruptedException {
        agent.stop();
    }
}
