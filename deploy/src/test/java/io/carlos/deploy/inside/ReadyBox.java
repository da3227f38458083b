package io.carlos.deploy.inside;

import java.io.IOException;

/** A box whose control service has found it ready, until this is closed. */
final class ReadyBox implements AutoCloseable {
    static final String CONTROL_SERVICE = "carlos-instance-control.service";

    private final MetadataService metadata;

    ReadyBox() throws IOException {
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
