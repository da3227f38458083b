package io.carlos.cli.run;

import io.carlos.cli.console.Console;
import io.carlos.cli.console.OutputFormat;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.FollowListener;
import io.carlos.model.runs.RunId;
import java.io.IOException;

/** How a run is shown while it is followed. */
interface RunOutput extends FollowListener {
    /** Shown once, when it has ended; not for a run that nothing is known of. */
    void ended(FollowEnd end) throws IOException;

    static RunOutput of(OutputFormat format, RunId id, Console console) {
        return switch (format) {
            case TABLE -> new RawRunOutput(console);
            case JSON -> new JsonRunOutput(id, console);
        };
    }
}
