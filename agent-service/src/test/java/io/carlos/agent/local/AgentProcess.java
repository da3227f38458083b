package io.carlos.agent.local;

import io.carlos.agent.AgentSettings;
import io.carlos.agent.launch.process.ProcessLauncher;
import io.carlos.agent.local.LocalAgent.Claims;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A local agent as a JVM of its own, which a test can kill and start again. */
final class AgentProcess implements AutoCloseable {
    private final Process process;

    private AgentProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts one.
     *
     * @param crashPoint see {@link CrashPoints}
     * @param log takes what it prints
     */
    static AgentProcess start(Path store, int crashPoint, Path log) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                AgentProcess.class.getName(),
                store.toString(),
                Integer.toString(crashPoint));
        File file = log.toFile();
        return new AgentProcess(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(file))
                .start());
    }

    Process process() {
        return process;
    }

    /** Ends it as kill -9 does. */
    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        CrashPoints points = new CrashPoints(Integer.parseInt(arguments[1]));
        DirectoryObjectStore store = DirectoryObjectStore.open(root);
        LocalAgent agent = new LocalAgent(
                new LocalBoxes(root).takeFree(),
                points.new Store(store),
                Claims.ALL,
                AgentSettings.DEFAULTS,
                new SystemScheduler(),
                new SecureRandom(),
                points.new Launcher(new ProcessLauncher()),
                directories -> points.new Directories(directories));
        agent.start();
        new CountDownLatch(1).await();
    }
}
