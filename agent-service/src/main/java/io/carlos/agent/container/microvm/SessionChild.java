package io.carlos.agent.container.microvm;

import io.carlos.agent.container.ChildHandle;
import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ExitStatusException;

/** A command of a session, whose failure the session can explain. */
record SessionChild(ChildHandle child, Explanation explanation) implements ChildHandle {
    /** Says why a command failed. */
    @FunctionalInterface
    interface Explanation {
        CommandException of(CommandException failure) throws InterruptedException;
    }

    @Override
    public void kill() {
        child.kill();
    }

    @Override
    public void terminate() {
        child.terminate();
    }

    @Override
    public int waitFor() throws ExitStatusException, CommandException, InterruptedException {
        try {
            return child.waitFor();
        } catch (CommandException e) {
            throw explanation.of(e);
        }
    }
}
