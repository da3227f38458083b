package io.carlos.guest.exec;

import java.io.IOException;

/** What holds everything that comes of one command, so that nothing of it survives. */
interface Containment extends AutoCloseable {
    /** Kills whatever runs of it, and returns when nothing does; called again, it does the same again. */
    void kill() throws IOException, InterruptedException;

    /** Gives the means up; nothing of the command runs any more. */
    @Override
    void close() throws IOException;

    /** Makes them, one for each command. */
    interface Factory {
        /** What a command has to run with in order to be found again. */
        ExecCommand prepare(String execId, ExecCommand command) throws IOException;

        /** Takes in a command that has just been started; gives the means up when it fails. */
        Containment contain(String execId, Children.Child child) throws IOException;

        /** Gives the means up of a command that was prepared and could not be started. */
        default void abandon(String execId) throws IOException, InterruptedException {}
    }
}
