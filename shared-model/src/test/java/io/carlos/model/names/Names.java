package io.carlos.model.names;

import java.util.Random;

/** Generated names, and the ones that are worst for whoever has to fit them in. */
public final class Names {
    private static final String ALPHANUMERIC = "abcdefghijklmnopqrstuvwxyz0123456789";

    private Names() {}

    /** A host of any allowed length, rich in hyphens. */
    public static Host host(Random random) {
        int length = 3 + random.nextInt(Host.MAX_LENGTH - 2);
        StringBuilder host = new StringBuilder(label(random, 1 + random.nextInt(Math.min(63, length - 2))));
        while (host.length() < length - 1) {
            int room = Math.min(63, length - host.length() - 1);
            host.append('.').append(label(random, 1 + random.nextInt(room)));
        }
        return Host.of(host.toString());
    }

    /** A host with hyphens wherever the rule allows one, in labels as long as they may be. */
    public static Host hyphens(int length) {
        StringBuilder host = new StringBuilder();
        int left = length;
        while (left > 65) {
            int label = Math.min(63, left - 4);
            host.append(hyphenLabel(label)).append('.');
            left -= label + 1;
        }
        return Host.of(host.append(hyphenLabel(left - 2)).append(".a").toString());
    }

    /** Text of any characters, among them those that escaping, paths and terminals care about. */
    public static String text(Random random) {
        String special = "/.-_:\\@ \t\n\"'x2e%*?[]~=\u0001\u007f\u0085é€";
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(24); length > 0; length--) {
            switch (random.nextInt(4)) {
                case 0 -> text.append(special.charAt(random.nextInt(special.length())));
                case 1 -> text.append(ALPHANUMERIC.charAt(random.nextInt(ALPHANUMERIC.length())));
                case 2 -> text.append((char) (1 + random.nextInt(127)));
                default -> text.appendCodePoint(codePoint(random));
            }
        }
        return text.toString();
    }

    private static int codePoint(Random random) {
        int codePoint = 1 + random.nextInt(Character.MAX_CODE_POINT);
        boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        return surrogate ? 'x' : codePoint;
    }

    private static String label(Random random, int length) {
        StringBuilder label = new StringBuilder();
        for (int i = 0; i < length; i++) {
            boolean edge = i == 0 || i == length - 1;
            label.append(
                    !edge && random.nextInt(3) == 0 ? '-' : ALPHANUMERIC.charAt(random.nextInt(ALPHANUMERIC.length())));
        }
        return label.toString();
    }

    private static String hyphenLabel(int length) {
        return length < 3 ? "a".repeat(length) : "a" + "-".repeat(length - 2) + "a";
    }
}
