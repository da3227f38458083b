package io.carlos.agent.launch.process;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.OutputSink;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command that no process could be made of, told as a shell tells it: one line on standard error, and the status 126
 * or 127.
 */
final class UnrunnableCommand implements LaunchedRun {
    static final int NOT_EXECUTABLE = 126;
    static final int NOT_FOUND = 127;

    private static final Logger log = LoggerFactory.getLogger(UnrunnableCommand.class);

    private final CommandEnd end;
    private final Thread writer;

    private UnrunnableCommand(CommandEnd end, Thread writer) {
        this.end = end;
        this.writer = writer;
    }

    /** The sink may be blocked for long, so the line is written behind the caller's back. */
    static UnrunnableCommand start(RunId id, int status, String line, OutputSink output) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        Thread writer = Thread.ofVirtual().name(id.value() + "-error").start(() -> {
            try {
                output.write(OutputChannel.STDERR, bytes, 0, bytes.length);
            } catch (InterruptedException e) {
                log.info("launch: {}: the sink takes nothing more", id);
            } catch (RuntimeException e) {
                log.error("launch: {}: its line on standard error is lost", id, e);
            }
        });
        return new UnrunnableCommand(new CommandEnd.Exited(status, ""), writer);
    }

    @Override
    public Optional<CommandEnd> awaitEnd(Duration wait) {
        return Optional.of(end);
    }

    @Override
    public CommandEnd stop(Duration grace) throws InterruptedException {
        writer.join();
        return end;
    }
}
