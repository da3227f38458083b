package io.carlos.cli.instances;

/** One entry of an instance's environment, as {@code KEY=VALUE}. */
public record EnvironmentEntry(String key, String value) {
    /** @throws IllegalArgumentException for a text without a key or with a NUL in it */
    public static EnvironmentEntry of(String text) {
        int equals = text.indexOf('=');
        if (equals < 1 || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("\"" + text + "\" is not KEY=VALUE");
        }
        return new EnvironmentEntry(text.substring(0, equals), text.substring(equals + 1));
    }
}
