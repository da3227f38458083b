package io.carlos.cli.run;

import io.carlos.cli.console.Console;
import io.carlos.cli.console.CtrlC;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.Printable;
import io.carlos.cli.console.StandardStream;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.store.OpenStore;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordRef;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.InvalidRunException;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.runs.Transition.Refusal;
import io.carlos.store.StoreException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** One run seen from a terminal: asked for, followed to its end, and cancelled or left by Ctrl-C. */
final class RunSession {
    private final OpenStore store;
    private final String region;
    private final Console console;
    private final OutputFormat format;
    private final Runnable wake;

    /**
     * @param region whose boxes are told of a change
     * @param wake told as well, when an agent is in this process
     */
    RunSession(OpenStore store, String region, Console console, OutputFormat format, Runnable wake) {
        this.store = store;
        this.region = region;
        this.console = console;
        this.format = format;
        this.wake = wake;
    }

    /** Asks for the run and follows it; returns the exit code. */
    int run(RunOrder order) throws IOException, InterruptedException {
        return follow(queued(order, submit(order)));
    }

    /** Asks for the run and prints its id; returns the exit code. */
    int detach(RunOrder order) throws IOException, InterruptedException {
        console.println(queued(order, submit(order)).id().value());
        return 0;
    }

    /** Asks for the run. */
    SubmitOutcome submit(RunOrder order) throws IOException, InterruptedException {
        boolean person = console.isTerminal(StandardStream.ERR);
        try {
            SubmitOutcome outcome = store.submitter().submit(order, file -> {
                if (person) {
                    say("uploaded " + file.name() + " (" + file.size() + " bytes)");
                }
            });
            wake.run();
            return outcome;
        } catch (InvalidRunException e) {
            throw new CliException(CliExit.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** The request of a run that was queued; what to tell the user of any other outcome is thrown. */
    RunRequest queued(RunOrder order, SubmitOutcome outcome) {
        return switch (outcome) {
            case SubmitOutcome.Queued(RunRequest request) -> request;
            case SubmitOutcome.NoRecord() ->
                throw new CliException(
                        CliExit.UNAVAILABLE, "there is no instance " + order.record() + " in " + store.location());
            case SubmitOutcome.Refused(Refusal reason, String detail) ->
                throw reason == Refusal.RUN_CONFLICT
                        ? new CliException(
                                CliExit.NOT_PICKED_UP,
                                "the run was not queued: " + detail
                                        + "; wait for it, or end it with carlos runs cancel")
                        : new CliException(CliExit.REFUSED, "the run was not queued: " + detail);
        };
    }

    /** Follows a run from its start to its end; returns the exit code. */
    int follow(RunRequest request) throws IOException, InterruptedException {
        return follow(request.recordRef(), request.id(), 1);
    }

    /** Follows a run from a seq to its end; returns the exit code. */
    int follow(RecordRef ref, RunId id, long fromSeq) throws IOException, InterruptedException {
        RunOutput output = RunOutput.of(format, id, console);
        Thread follower = Thread.currentThread();
        AtomicInteger pressed = new AtomicInteger();
        FollowEnd end;
        try (CtrlC _ = CtrlC.handledBy(() -> {
            if (pressed.incrementAndGet() == 1) {
                cancel(ref, id);
            } else {
                follower.interrupt();
            }
        })) {
            end = store.follower().follow(ref, id, fromSeq, output);
        } catch (InterruptedException e) {
            say("left run " + id + "; see the rest of it with: carlos runs follow " + id + " --store "
                    + store.location());
            throw e;
        }
        output.ended(end);
        RunEndings meaning = RunEndings.of(end);
        meaning.remarks().forEach(this::say);
        return meaning.exitCode();
    }

    private void cancel(RecordRef ref, RunId id) {
        say("cancelling run " + id + "; press Ctrl-C again to leave it alone");
        try {
            store.closer().cancel(ref, id);
            store.bump(region);
            wake.run();
        } catch (StoreException | RecordContendedException e) {
            say("the cancel did not reach the store: " + e.getMessage() + "; try carlos runs cancel " + id);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String sentence) {
        try {
            // A result and a record may hold what a tenant wrote.
            console.errorln("carlos: " + Printable.of(sentence));
        } catch (IOException e) {
            // Nobody reads stderr; the run goes on.
        }
    }
}
