package io.carlos.model.names;

/** The rule that names of accounts, apps and machines share. */
final class SlugRule {
    private static final int MAX_LENGTH = 39;

    private SlugRule() {}

    static void check(String kind, String value) {
        if (value.isEmpty()) {
            throw new InvalidNameException(kind, value, "it is empty");
        }
        if (value.length() > MAX_LENGTH) {
            throw new InvalidNameException(kind, value, "it is over " + MAX_LENGTH + " characters");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!alphanumeric && (c != '-' || i == 0)) {
                throw new InvalidNameException(
                        kind, value, "only lower-case letters, digits and, after the first, hyphens may stand in it");
            }
        }
    }
}
