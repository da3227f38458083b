package io.carlos.model.control;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.carlos.model.names.InvalidNameException;

/** How a unit's main process ended: systemd's {@code ExecMainCode}, the {@code si_code} of waitid(2). */
public enum MainCode {
    /** It has not ended, or there was none. */
    NONE(0, ""),
    /** By itself; the status is its exit status. */
    EXITED(1, "exited"),
    /** By a signal; the status is the signal's number. */
    KILLED(2, "killed"),
    /** By a signal, with a core dump; the status is the signal's number. */
    DUMPED(3, "dumped");

    private final int number;
    private final String word;

    MainCode(int number, String word) {
        this.number = number;
        this.word = word;
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static MainCode of(int number) {
        return of(Integer.toString(number));
    }

    /**
     * Reads either form of systemd's: the number of {@code systemctl show}, the word of {@code $EXIT_CODE}.
     *
     * @throws InvalidNameException when it is neither
     */
    public static MainCode of(String text) {
        for (MainCode code : values()) {
            if (code.word.equals(text) || Integer.toString(code.number).equals(text)) {
                return code;
            }
        }
        throw new InvalidNameException("a main process's code", text, "it is 0 to 3, or exited, killed or dumped");
    }

    /** The number, as it is on the wire. */
    @JsonValue
    public int number() {
        return number;
    }
}
