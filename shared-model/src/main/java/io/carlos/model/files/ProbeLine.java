package io.carlos.model.files;

/**
 * What one check of the readiness probe found.
 *
 * @param check the check's name
 * @param detail what was seen, on one line
 */
public record ProbeLine(String check, Verdict verdict, String detail) {
    private static final int MAX_LENGTH = 1_000;

    /** How a check went. */
    public enum Verdict {
        OK("ok"),
        /** This box cannot tell; that does not block. */
        UNVERIFIED("unverified"),
        /** The boundary does not hold. */
        FAIL("fail");

        private final String wireName;

        Verdict(String wireName) {
            this.wireName = wireName;
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

    /** What would break a log line is replaced or cut off. */
    public ProbeLine {
        check = oneLine(check);
        detail = oneLine(detail);
    }

    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length() && i < MAX_LENGTH; i++) {
            char c = text.charAt(i);
            line.append(Character.isISOControl(c) ? '?' : c);
        }
        return line.toString();
    }

    @Override
    public String toString() {
        return check + ": " + verdict + ": " + detail;
    }
}
