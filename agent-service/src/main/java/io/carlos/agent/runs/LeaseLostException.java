package io.carlos.agent.runs;

/** This box must write nothing more for a run: others may take it for abandoned by now, and close it out. */
final class LeaseLostException extends Exception {
    private static final long serialVersionUID = 1L;

    LeaseLostException(String message) {
        super(message);
    }
}
