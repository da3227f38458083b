package io.carlos.agent.container.microvm;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A guest that answers as it is told, and whose commands go on until it is closed. */
final class ScriptedGuest implements Guest {
    private final Answers answers;
    private final CompletableFuture<ExecOutput> closed = new CompletableFuture<>();

    /** What a guest says and does. */
    interface Answers {
        Health health() throws CommandException, InterruptedException;

        default void provision() throws CommandException {}

        default void stop() throws CommandException {}

        default void commandStarted() {}
    }

    ScriptedGuest(Answers answers) {
        this.answers = answers;
    }

    boolean isClosed() {
        return closed.isDone();
    }

    static CommandException silent() {
        return new CommandException(Reason.TRANSPORT, "nobody is there", null);
    }

    @Override
    public Health health(Duration bound) throws CommandException, InterruptedException {
        return answers.health();
    }

    @Override
    public void provision(int defaultUid, Map<String, String> baseEnvironment) throws CommandException {
        answers.provision();
    }

    @Override
    public ExecOutput exec(ExecSpec spec) throws CommandException, InterruptedException {
        answers.commandStarted();
        try {
            return closed.get();
        } catch (ExecutionException e) {
            throw new CommandException(Reason.CANCELLED, "the connection was closed", e);
        }
    }

    @Override
    public StreamingExec execStreaming(StreamingExecSpec spec) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void stopGuest(Duration bound) throws CommandException {
        answers.stop();
    }

    @Override
    public void close() {
        closed.completeExceptionally(silent());
    }
}
