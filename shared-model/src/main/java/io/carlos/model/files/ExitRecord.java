package io.carlos.model.files;

import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.json.JsonReader;
import io.carlos.model.json.JsonWriter;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.time.Instant;

/**
 * How systemd saw a unit end: {@code exit.<role>.<invocation>.json} in an instance's run directory, written once by the
 * unit's {@code ExecStopPost=}. The tenant can write it too: it words the line about the end, and decides nothing.
 *
 * @param result systemd's {@code $SERVICE_RESULT}; empty when systemd did not say, as the next two
 * @param code systemd's {@code $EXIT_CODE}
 * @param status systemd's {@code $EXIT_STATUS}, a number or the name of a signal
 */
public record ExitRecord(InvocationId invocation, String result, String code, String status, Instant at) {
    public static final int MAX_BYTES = 4 * 1024;

    private static final String DOCUMENT = "exit record";
    private static final int MAX_WORD_LENGTH = 64;

    /** @throws InvalidDocumentException when result, code or status is more than one short word */
    public ExitRecord {
        checkWord("result", result);
        checkWord("code", code);
        checkWord("status", status);
    }

    /** The file's name in the instance's run directory. */
    public static String fileName(Role role, InvocationId invocation) {
        return "exit." + role.wireName() + "." + invocation + ".json";
    }

    /**
     * Reads an exit record that anybody may have written.
     *
     * @throws InvalidDocumentException when it is over {@link #MAX_BYTES}, not strict JSON, or not an exit record
     */
    public static ExitRecord read(byte[] bytes) {
        JsonReader in = new JsonReader(DOCUMENT, bytes, MAX_BYTES);
        InvocationId invocation = null;
        String result = null;
        String code = null;
        String status = null;
        Instant at = null;
        in.beginObject();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            switch (name) {
                case "invocation" -> invocation = Members.invocation(in);
                case "result" -> result = in.text();
                case "code" -> code = in.text();
                case "status" -> status = in.text();
                case "at" -> at = Members.instant(in);
                default -> in.skip();
            }
        }
        in.endDocument();
        return new ExitRecord(
                Members.present(in, "invocation", invocation),
                Members.present(in, "result", result),
                Members.present(in, "code", code),
                Members.present(in, "status", status),
                Members.present(in, "at", at));
    }

    public String toJson() {
        return new JsonWriter()
                .member("invocation", invocation.value())
                .member("result", result)
                .member("code", code)
                .member("status", status)
                .member("at", at.toString())
                .toString();
    }

    private static void checkWord(String member, String word) {
        boolean valid = word.length() <= MAX_WORD_LENGTH;
        for (int i = 0; valid && i < word.length(); i++) {
            valid = word.charAt(i) > ' ' && word.charAt(i) <= '~';
        }
        if (!valid) {
            throw new InvalidDocumentException(
                    DOCUMENT,
                    member + " is \"" + word + "\", expected a word of at most " + MAX_WORD_LENGTH + " characters");
        }
    }
}
