package io.carlos.model.start;

/** What is done for a command before its program runs, in this order. */
public enum StartStep {
    /** Understands what is asked for. */
    REQUEST,
    /** Enters the command's control group. */
    CONTROL_GROUP,
    /** Gives up groups, ids and every privilege. */
    IDENTITY,
    /** Enters the working directory, as the user. */
    WORKING_DIRECTORY,
    /** Looks for the program, as the user. */
    PROGRAM,
    /** Executes what was found. */
    EXECUTE
}
