package io.carlos.model.files;

import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.json.JsonReader;
import io.carlos.model.json.JsonWriter;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a command, as the trampoline tells: {@code status.<role>.<invocation>.json} in an instance's run
 * directory. The tenant can write it too, so it is worth something only for the command's own status, and only once the
 * unit's control group is empty.
 *
 * @param status 0 while {@link Cause#RUNNING}, the exit status after {@link Cause#EXITED} and {@link Cause#REFUSED}, the
 *     signal's number after {@link Cause#KILLED}
 */
public record StatusFile(InvocationId invocation, Cause cause, int status, Instant at) {
    public static final int MAX_BYTES = 4 * 1024;

    private static final String DOCUMENT = "status file";
    private static final int MAX_EXIT_STATUS = 255;
    private static final int MAX_SIGNAL = 64;

    /** How far the command got. */
    public enum Cause {
        /** It is about to start, or runs. */
        RUNNING("running"),
        EXITED("exited"),
        /** A signal ended it. */
        KILLED("killed"),
        /** The trampoline did not start it. */
        REFUSED("refused");

        private final String wireName;

        Cause(String wireName) {
            this.wireName = wireName;
        }

        static @Nullable Cause find(String wireName) {
            for (Cause cause : values()) {
                if (cause.wireName.equals(wireName)) {
                    return cause;
                }
            }
            return null;
        }

        public String wireName() {
            return wireName;
        }

        /** The wire name. */
        @Override
        public String toString() {
            return wireName;
        }
    }

    /** @throws InvalidDocumentException when the status is none that the cause can have */
    public StatusFile {
        boolean possible = switch (cause) {
            case RUNNING -> status == 0;
            case EXITED, REFUSED -> status >= 0 && status <= MAX_EXIT_STATUS;
            case KILLED -> status >= 1 && status <= MAX_SIGNAL;
        };
        if (!possible) {
            throw new InvalidDocumentException(DOCUMENT, "the status " + status + " cannot go with the cause " + cause);
        }
    }

    /** The file's name in the instance's run directory. */
    public static String fileName(Role role, InvocationId invocation) {
        return "status." + role.wireName() + "." + invocation + ".json";
    }

    /**
     * Reads a status file that anybody may have written.
     *
     * @throws InvalidDocumentException when it is over {@link #MAX_BYTES}, not strict JSON, or not a status file
     */
    public static StatusFile read(byte[] bytes) {
        JsonReader in = new JsonReader(DOCUMENT, bytes, MAX_BYTES);
        InvocationId invocation = null;
        Cause cause = null;
        Integer status = null;
        Instant at = null;
        in.beginObject();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            switch (name) {
                case "invocation" -> invocation = Members.invocation(in);
                case "cause" -> cause = readCause(in);
                case "status" -> status = in.integer();
                case "at" -> at = Members.instant(in);
                default -> in.skip();
            }
        }
        in.endDocument();
        return new StatusFile(
                Members.present(in, "invocation", invocation),
                Members.present(in, "cause", cause),
                Members.present(in, "status", status),
                Members.present(in, "at", at));
    }

    public String toJson() {
        return new JsonWriter()
                .member("invocation", invocation.value())
                .member("cause", cause.wireName())
                .member("status", status)
                .member("at", at.toString())
                .toString();
    }

    private static Cause readCause(JsonReader in) {
        String text = in.text();
        Cause cause = Cause.find(text);
        if (cause == null) {
            throw in.refusal("cause is \"" + text + "\", expected running, exited, killed or refused");
        }
        return cause;
    }
}
