package io.carlos.guest.boot;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the host tells a guest on its kernel's command line; see /proc/cmdline. Of a repeated word the last one
 * counts.
 */
public record KernelCommandLine(Map<String, String> words) {
    private static final String VSOCK_PORT = "compass.vsock_port";
    private static final String BOOT_NONCE = "compass.boot_nonce";
    private static final int BYTES_OF_NONCE = 16;
    private static final long MAX_PORT = 0xffff_fffeL;

    public KernelCommandLine {
        words = Map.copyOf(words);
    }

    /** Words are split at blanks, except within double quotes, as the kernel does it. */
    public static KernelCommandLine parse(String line) {
        Map<String, String> words = new LinkedHashMap<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        for (char c : (line + " ").toCharArray()) {
            if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && Character.isWhitespace(c)) {
                put(words, word.toString());
                word.setLength(0);
            } else {
                word.append(c);
            }
        }
        put(words, word.toString());
        return new KernelCommandLine(words);
    }

    private static void put(Map<String, String> words, String word) {
        if (!word.isEmpty()) {
            int equals = word.indexOf('=');
            words.put(equals < 0 ? word : word.substring(0, equals), equals < 0 ? "" : word.substring(equals + 1));
        }
    }

    /**
     * The port to serve on, unsigned.
     *
     * @throws IllegalArgumentException when it is missing or no port: a guest that nobody can reach must not run
     */
    public int vsockPort() {
        String text = required(VSOCK_PORT);
        if (text.matches("[0-9]{1,10}") && Long.parseLong(text) >= 1 && Long.parseLong(text) <= MAX_PORT) {
            return (int) Long.parseLong(text);
        }
        throw new IllegalArgumentException(
                VSOCK_PORT + "=" + text + " on the kernel command line: expected a number" + " from 1 to " + MAX_PORT);
    }

    /**
     * The 16 bytes by which the host knows this boot.
     *
     * @throws IllegalArgumentException when they are missing, or not 32 hexadecimal digits
     */
    public byte[] bootNonce() {
        String text = required(BOOT_NONCE);
        if (text.matches("[0-9a-fA-F]{" + 2 * BYTES_OF_NONCE + "}")) {
            return HexFormat.of().parseHex(text);
        }
        throw new IllegalArgumentException(BOOT_NONCE + " on the kernel command line has " + text.length()
                + " characters: expected " + 2 * BYTES_OF_NONCE + " hexadecimal digits");
    }

    private String required(String name) {
        return Optional.ofNullable(words.get(name))
                .orElseThrow(() -> new IllegalArgumentException(
                        "the kernel command line has no " + name + "; the host must put it there"));
    }
}
