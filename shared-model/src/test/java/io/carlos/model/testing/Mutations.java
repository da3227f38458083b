package io.carlos.model.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Valid JSON documents, broken in the ways that readers disagree about. */
public final class Mutations {
    private static final String[] FRAGMENTS = {
        "\"",
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\n",
        "null",
        "true",
        "-",
        "0",
        "1e9",
        "1.5",
        "99999999999",
        "\\u0000",
        "\\ud800",
        "\\u00e9",
        "\\/",
        "é",
        "😀",
        "\0",
        "\u0001",
        "\ufeff",
        "{}",
        "[]",
        "\"x\":1,",
        "'",
        "//",
        "NaN",
        "=",
        "A=1"
    };

    private Mutations() {}

    /** The document with up to three changes, possibly none. */
    public static byte[] mutate(Random random, String document) {
        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            bytes = change(random, bytes);
        }
        return bytes;
    }

    private static byte[] change(Random random, byte[] bytes) {
        int from = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, from + random.nextInt(12));
        return switch (random.nextInt(7)) {
            case 0 ->
                replace(
                        bytes,
                        from,
                        from,
                        FRAGMENTS[random.nextInt(FRAGMENTS.length)].getBytes(StandardCharsets.UTF_8));
            case 1 ->
                replace(bytes, from, to, FRAGMENTS[random.nextInt(FRAGMENTS.length)].getBytes(StandardCharsets.UTF_8));
            case 2 -> replace(bytes, from, to, new byte[0]);
            case 3 -> replace(bytes, from, from, Arrays.copyOfRange(bytes, from, to));
            case 4 -> replace(bytes, from, Math.min(bytes.length, from + 1), new byte[] {(byte) random.nextInt()});
            case 5 -> Arrays.copyOf(bytes, from);
            default -> repeatAMember(random, bytes);
        };
    }

    /** Repeats what stands between two commas, which often is a whole member or element. */
    private static byte[] repeatAMember(Random random, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int from = text.indexOf(',', random.nextInt(bytes.length + 1));
        int to = text.indexOf(',', from + 1);
        return from < 0 || to < 0 ? bytes : replace(bytes, to, to, Arrays.copyOfRange(bytes, from, to));
    }

    private static byte[] replace(byte[] bytes, int from, int to, byte[] by) {
        ByteArrayOutputStream replaced = new ByteArrayOutputStream();
        replaced.write(bytes, 0, from);
        replaced.writeBytes(by);
        replaced.write(bytes, to, bytes.length - to);
        return replaced.toByteArray();
    }
}
