package io.carlos.model.names;

import java.nio.charset.StandardCharsets;

/**
 * The bounded name of an instance in paths and unit names: at most 48 characters of {@code [a-z0-9._-]}.
 *
 * <p>A host of at most 48 characters is its own identifier. A longer one becomes {@code _}, its first 30 characters
 * without the {@code -} and {@code .} that end that cut, {@code -}, and the first 16 hex digits of the host's SHA-256. No
 * host starts with {@code _}, so the two ranges never meet.
 */
public record InstanceId(String value) {
    public static final int MAX_LENGTH = 48;

    /** The identifier of the readiness probe's own directories. No host has it. */
    public static final InstanceId PROBE = new InstanceId("_probe");

    private static final int STEM_LENGTH = 30;
    private static final int DIGEST_LENGTH = 16;
    private static final String KIND = "an instance identifier";

    /** @throws InvalidNameException when the text is no host's identifier and not the probe's */
    public InstanceId {
        if (value.length() > MAX_LENGTH) {
            throw new InvalidNameException(KIND, value, "it is over " + MAX_LENGTH + " characters");
        }
        if (!value.startsWith("_")) {
            if (Host.checkLabels(KIND, value) < 2) {
                throw new InvalidNameException(KIND, value, "it needs two or more labels joined by dots");
            }
        } else if (!value.equals("_probe")) {
            checkShortened(value);
        }
    }

    public static InstanceId of(Host host) {
        String text = host.value();
        if (text.length() <= MAX_LENGTH) {
            return new InstanceId(text);
        }
        int end = STEM_LENGTH;
        while (text.charAt(end - 1) == '-' || text.charAt(end - 1) == '.') {
            end--;
        }
        String digest = Sha256.hex(text.getBytes(StandardCharsets.US_ASCII)).substring(0, DIGEST_LENGTH);
        return new InstanceId("_" + text.substring(0, end) + "-" + digest);
    }

    /**
     * Takes an identifier from outside, such as a unit's {@code %I}.
     *
     * @throws InvalidNameException when the text is no host's identifier and not the probe's
     */
    public static InstanceId of(String value) {
        return new InstanceId(value);
    }

    /** The identifier as a unit's instance name, {@code %i}. */
    public String escaped() {
        return SystemdEscape.escape(value);
    }

    private static void checkShortened(String value) {
        int dash = value.length() - DIGEST_LENGTH - 1;
        boolean wellFormed = dash > 1 && dash <= STEM_LENGTH + 1 && value.charAt(dash) == '-';
        for (int i = dash + 1; wellFormed && i < value.length(); i++) {
            char c = value.charAt(i);
            wellFormed = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        }
        if (!wellFormed) {
            throw new InvalidNameException(
                    KIND, value, "after _ come at most " + STEM_LENGTH + " characters of a host, - and 16 hex digits");
        }
        Host.checkLabels(KIND, value.substring(1, dash));
    }

    @Override
    public String toString() {
        return value;
    }
}
