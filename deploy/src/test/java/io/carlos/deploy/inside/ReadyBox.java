package io.carlos.deploy.inside;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;

/** A box whose control service has found it ready, until this is closed. */
final class ReadyBox implements AutoCloseable {
    static final String CONTROL_SERVICE = "carlos-instance-control.service";

    private static final String INSTALLED_VARIABLE = "CARLOS_BOX_CONTROL";

    private final MetadataService metadata;

    ReadyBox() throws IOException {
        // Whether there is one the box was told from outside: were it lost on the way, these tests are to fail.
        assumeFalse("absent".equals(System.getenv(INSTALLED_VARIABLE)), "the control service was not built");
        metadata = new MetadataService();
        // What it found before, of a box that other tests had made holes in, it would keep for minutes.
        Command.systemctl("restart", CONTROL_SERVICE).output();
        Await.until(
                "a box that is ready",
                () -> ControlClient.OF_THE_AGENT.get("/ready").status() == 204);
    }

    @Override
    public void close() throws IOException {
        metadata.close();
    }
}
