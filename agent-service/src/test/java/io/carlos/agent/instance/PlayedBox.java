package io.carlos.agent.instance;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.ProbeReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Units that are played in memory, for tests of the agent as a whole. Programs come to run and serve. */
public final class PlayedBox {
    private final RecordingControlChannel channel;

    public PlayedBox(BoxPaths paths) {
        this.channel = new RecordingControlChannel(paths);
    }

    /** Makes the directories that a box has before its agent starts, with links in the place of mounts. */
    public static void makeDirectories(BoxPaths paths) throws IOException {
        Files.createDirectories(paths.logs());
        for (Path base : List.of(paths.data(), paths.run())) {
            Files.createDirectories(base.resolve(".instances"));
            Files.createSymbolicLink(base.resolve("instances"), base.resolve(".instances"));
        }
    }

    public ControlChannel channel() {
        return channel;
    }

    /** What was asked of the units, without looks at the probe. */
    public List<String> calls() {
        return channel.calls();
    }

    public void probeFinds(ProbeReport report) {
        channel.probeFinds(report);
    }

    /** The box is proven again. */
    public void probeFindsNothing() {
        channel.probeFinds(RecordingControlChannel.READY);
    }

    /** @param verb start, seed, stop, sweep or probe */
    public void failNext(String verb, Outcome outcome) {
        channel.failNext(verb, outcome);
    }

    /** The program that was started last prints this. */
    public void print(String text) {
        channel.newest().print(text);
    }
}
