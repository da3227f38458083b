package io.carlos.cli.run;

import io.carlos.cli.console.Console;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.OutputChannel;
import java.io.IOException;

/** The command's bytes on this process's own streams, each on its own. */
record RawRunOutput(Console console) implements RunOutput {
    @Override
    public void chunk(long seq, OutputChannel channel, byte[] bytes) throws IOException {
        switch (channel) {
            case STDOUT -> console.out().write(bytes);
            case STDERR -> console.err().write(bytes);
        }
    }

    @Override
    public void ended(FollowEnd end) {}
}
