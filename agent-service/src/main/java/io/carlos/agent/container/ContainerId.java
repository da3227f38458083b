package io.carlos.agent.container;

import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * A runtime's name for a container, which no other container ever has.
 *
 * @param value 16 to 64 hexadecimal digits
 */
public record ContainerId(String value) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{16,64}");
    private static final int RANDOM_BYTES = 8;

    public ContainerId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "the container id \"" + value + "\": expected 16 to 64 hexadecimal digits");
        }
    }

    /** The shortest there is: a path of a unix socket, which it is part of, has 107 bytes. */
    public static ContainerId random(RandomGenerator random) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return new ContainerId(HexFormat.of().formatHex(bytes));
    }

    @Override
    public String toString() {
        return value;
    }
}
