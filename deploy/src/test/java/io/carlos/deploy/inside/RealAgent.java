package io.carlos.deploy.inside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The agent of the package in place of its stand-in, on a box that is ready, until this is closed. */
final class RealAgent implements AutoCloseable {
    static final String EDGE = "carlos-edge.service";

    private static final Path STAND_IN = Path.of("/etc/systemd/system", EDGE + ".d", "stand-in.conf");
    private static final Path ASIDE = STAND_IN.resolveSibling("stand-in.conf.aside");

    private final MetadataService metadata;

    RealAgent() throws IOException {
        this(new MetadataService());
        Files.move(STAND_IN, ASIDE);
        Command.systemctl("daemon-reload").output();
        Command.systemctl("restart", ReadyBox.CONTROL_SERVICE).output();
        Command.systemctl("restart", EDGE).output();
        awaitReady();
    }

    private RealAgent(MetadataService metadata) {
        this.metadata = metadata;
    }

    /** The agent that is still there when the box has booted again: see {@link #ofThisBoot}. */
    @SuppressWarnings("resource") // the next boot's, which closes it
    static void beyondThisBoot() throws IOException {
        new RealAgent();
    }

    /** The agent that the boot has started, which was in place in the boot before. */
    static RealAgent ofThisBoot() throws IOException {
        RealAgent agent = new RealAgent(new MetadataService());
        // The address of the metadata service has gone with the boot before, and without it the box is not ready.
        Command.systemctl("restart", ReadyBox.CONTROL_SERVICE).output();
        awaitReady();
        return agent;
    }

    /** Waits for an agent that answers on a box that is proven. */
    static void awaitReady() {
        Await.until(
                "an agent on a box that is ready",
                () -> Carlos.run("box", "probe").status() == 0);
    }

    static void restart() {
        Command.systemctl("restart", EDGE).output();
        awaitReady();
    }

    static String mainProcess(String unit) {
        return Command.systemctl("show", "--property=MainPID", "--value", unit).output();
    }

    /** Ends the unit's main process as a crash does. */
    static void crash(String unit) {
        Command.systemctl("kill", "--kill-whom=main", "--signal=SIGKILL", unit).output();
    }

    @Override
    public void close() {
        try {
            Files.move(ASIDE, STAND_IN);
            metadata.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Command.systemctl("daemon-reload").output();
        Command.systemctl("restart", EDGE).output();
    }
}
