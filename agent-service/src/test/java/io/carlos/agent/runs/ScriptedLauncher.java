package io.carlos.agent.runs;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.OutputSink;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.model.time.Scheduler;
import java.util.ArrayList;
import java.util.List;

/** Launches what it was told, and remembers what it was asked. */
final class ScriptedLauncher implements RunLauncher {
    private final Scheduler scheduler;
    private final List<LaunchRequest> requests = new ArrayList<>();
    private final List<ScriptedCommand> commands = new ArrayList<>();
    private String standingNote = "";
    private Plan plan = (request, output) -> start(output, command -> {});

    ScriptedLauncher(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** What a launch comes to. */
    @FunctionalInterface
    interface Plan {
        LaunchOutcome launch(LaunchRequest request, OutputSink output) throws InterruptedException;
    }

    void plan(Plan told) {
        plan = told;
    }

    /** Every launch starts a command that plays this script. */
    void script(ScriptedCommand.Script script) {
        plan = (request, output) -> start(output, script);
    }

    void setStandingNote(String note) {
        standingNote = note;
    }

    @Override
    public String standingNote() {
        return standingNote;
    }

    LaunchOutcome start(OutputSink output, ScriptedCommand.Script script) {
        ScriptedCommand command = new ScriptedCommand(scheduler, output);
        commands.add(command);
        command.start(script);
        return new LaunchOutcome.Started(command);
    }

    List<LaunchRequest> requests() {
        return requests;
    }

    /** The one command that was started. */
    ScriptedCommand command() {
        if (commands.size() != 1) {
            throw new AssertionError(commands.size() + " commands were started, not one");
        }
        return commands.getFirst();
    }

    @Override
    public LaunchOutcome launch(LaunchRequest request, OutputSink output) throws InterruptedException {
        requests.add(request);
        return plan.launch(request, output);
    }
}
