package io.carlos.model.files;

import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.json.JsonReader;
import io.carlos.model.json.JsonWriter;
import io.carlos.model.json.UnsupportedSchemaException;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.names.Role;
import io.carlos.model.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the trampoline is to run: {@code launch.<role>.json} in an instance's data directory, which its tenant can write
 * to. {@link #read} takes any bytes for that reason, and whoever starts a program calls {@link #checkProgram} first.
 *
 * @param argv the command, at least one argument, none with a NUL
 * @param env the whole environment, {@code KEY=value} each, no key twice and none empty
 */
public record LaunchFile(Host host, List<String> argv, List<String> env) {
    public static final int SCHEMA = 1;
    public static final int MAX_BYTES = 256 * 1024;

    private static final String DOCUMENT = "launch file";

    /** @throws InvalidDocumentException when a rule on {@code argv} or {@code env} is broken */
    public LaunchFile {
        argv = List.copyOf(argv);
        env = List.copyOf(env);
        if (argv.isEmpty()) {
            throw new InvalidDocumentException(DOCUMENT, "argv is empty; expected the program and its arguments");
        }
        for (String argument : argv) {
            checkText("argv", argument);
        }
        Set<String> keys = new HashSet<>();
        for (String entry : env) {
            checkText("env", entry);
            int equals = entry.indexOf('=');
            if (equals < 1) {
                throw new InvalidDocumentException(DOCUMENT, "an env entry is not KEY=value with a key");
            }
            if (!keys.add(entry.substring(0, equals))) {
                throw new InvalidDocumentException(
                        DOCUMENT, "env has the key " + entry.substring(0, equals) + " twice");
            }
        }
    }

    /** The file's name in the instance's data directory. */
    public static String fileName(Role role) {
        return "launch." + role.wireName() + ".json";
    }

    /**
     * Reads a launch file that anybody may have written.
     *
     * @throws UnsupportedSchemaException when it is of another schema, whatever else it holds
     * @throws InvalidDocumentException when it is over {@link #MAX_BYTES}, not strict JSON, or breaks a rule
     */
    public static LaunchFile read(byte[] bytes) {
        int schema = readSchema(bytes);
        if (schema != SCHEMA) {
            throw new UnsupportedSchemaException(DOCUMENT, schema, SCHEMA);
        }
        JsonReader in = new JsonReader(DOCUMENT, bytes, MAX_BYTES);
        String host = null;
        List<String> argv = null;
        List<String> env = null;
        in.beginObject();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            switch (name) {
                case "host" -> host = in.text();
                case "argv" -> argv = in.texts();
                case "env" -> env = in.texts();
                default -> in.skip();
            }
        }
        in.endDocument();
        try {
            return new LaunchFile(
                    Host.of(Members.present(in, "host", host)),
                    Members.present(in, "argv", argv),
                    Members.present(in, "env", env));
        } catch (InvalidNameException e) {
            throw in.refusal("host: " + e.getMessage());
        }
    }

    /** Before all else, since a file of another schema may have members of other kinds. */
    private static int readSchema(byte[] bytes) {
        JsonReader in = new JsonReader(DOCUMENT, bytes, MAX_BYTES);
        Integer schema = null;
        in.beginObject();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            if (name.equals("schema")) {
                schema = in.integer();
            } else {
                in.skip();
            }
        }
        return Members.present(in, "schema", schema);
    }

    /**
     * Checks that the file is for this instance, and starts nothing but its own program: the link to the host's current
     * binary, directly under the live directory and named after the host.
     *
     * @param liveDirectory an absolute path without trailing slash
     * @throws InvalidDocumentException when the file is another instance's, or {@code argv[0]} another program
     */
    public void checkProgram(String liveDirectory, InstanceId id) {
        if (!InstanceId.of(host).equals(id)) {
            throw new InvalidDocumentException(
                    DOCUMENT, "host is " + host + ", which is not the host of the instance " + id);
        }
        String expected = liveDirectory + "/" + host;
        if (!argv.get(0).equals(expected)) {
            throw new InvalidDocumentException(
                    DOCUMENT, "argv[0] is \"" + argv.get(0) + "\", expected \"" + expected + "\"");
        }
    }

    /**
     * The file's content.
     *
     * @throws InvalidDocumentException when it would be over {@link #MAX_BYTES}, so that nobody could read it
     */
    public byte[] toBytes() {
        byte[] bytes = new JsonWriter()
                .member("schema", SCHEMA)
                .member("host", host.value())
                .texts("argv", argv)
                .texts("env", env)
                .toString()
                .getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_BYTES) {
            throw new InvalidDocumentException(
                    DOCUMENT, "argv and env make it " + bytes.length + " bytes, over the " + MAX_BYTES + " allowed");
        }
        return bytes;
    }

    /** Names the host and no more: arguments and environment may hold secrets. */
    @Override
    public String toString() {
        return "LaunchFile[host=" + host + ", " + argv.size() + " arguments, " + env.size() + " variables]";
    }

    private static void checkText(String member, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new InvalidDocumentException(DOCUMENT, member + " holds a NUL");
        }
        if (!Utf8.isEncodable(text)) {
            throw new InvalidDocumentException(DOCUMENT, member + " holds half a surrogate pair, which has no UTF-8");
        }
    }
}
