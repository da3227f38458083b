package io.carlos.agent.launch.unit;

import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.runs.RunId;
import java.time.Duration;
import java.util.List;

/** What a command in hand needs and leaves: its unit, its listeners, its files and its place beside the instance. */
final class UnitCommand {
    private final RunId id;
    private final Host host;
    private final Interruption interruption;
    private final CommandUnits units;
    private final CommandFiles files;
    private final CommandStreams streams;
    private final Duration drainBound;
    private final Runnable release;

    UnitCommand(
            RunId id,
            Host host,
            Interruption interruption,
            CommandUnits units,
            CommandFiles files,
            CommandStreams streams,
            Duration drainBound,
            Runnable release) {
        this.id = id;
        this.host = host;
        this.interruption = interruption;
        this.units = units;
        this.files = files;
        this.streams = streams;
        this.drainBound = drainBound;
        this.release = release;
    }

    Host host() {
        return host;
    }

    Interruption interruption() {
        return interruption;
    }

    CommandFiles files() {
        return files;
    }

    void stopUnit() throws InterruptedException {
        units.stop(host);
    }

    List<String> finishStreams() throws InterruptedException {
        return streams.finish(drainBound);
    }

    void removeFiles(InvocationId invocation) {
        files.removeLaunch();
        files.removeEnd(invocation);
    }

    /** Has a start of the unit that is executed late find nothing to do, and stops what it has begun. */
    void undoStart() throws InterruptedException {
        files.removeLaunch();
        units.stop(host);
    }

    /** Gives up everything but the unit, which nothing runs of. */
    void discard() throws InterruptedException {
        streams.finish(drainBound);
        files.removeLaunch();
        release.run();
    }

    void release() {
        release.run();
    }

    @Override
    public String toString() {
        return "run " + id + " of " + host;
    }
}
