package io.carlos.model.names;

/**
 * The fully qualified name of one instance: two or more labels of lower-case letters, digits and inner hyphens, joined
 * by dots; at most 63 characters a label and 253 in all.
 */
public record Host(String value) implements Comparable<Host> {
    public static final int MAX_LENGTH = 253;
    public static final int MAX_LABEL_LENGTH = 63;

    /** @throws InvalidNameException when the text is no host */
    public Host {
        if (value.length() > MAX_LENGTH) {
            throw new InvalidNameException("a host", value, "it is over " + MAX_LENGTH + " characters");
        }
        if (checkLabels("a host", value) < 2) {
            throw new InvalidNameException("a host", value, "it needs two or more labels joined by dots");
        }
    }

    public static Host of(String value) {
        return new Host(value);
    }

    /** Checks every label of the text, and counts them. */
    static int checkLabels(String kind, String text) {
        int labels = 0;
        int start = 0;
        while (start <= text.length()) {
            int dot = text.indexOf('.', start);
            int end = dot < 0 ? text.length() : dot;
            checkLabel(kind, text, start, end);
            labels++;
            start = end + 1;
        }
        return labels;
    }

    private static void checkLabel(String kind, String text, int start, int end) {
        if (start == end) {
            throw new InvalidNameException(kind, text, "a label is empty");
        }
        if (end - start > MAX_LABEL_LENGTH) {
            throw new InvalidNameException(kind, text, "a label is over " + MAX_LABEL_LENGTH + " characters");
        }
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            boolean edge = i == start || i == end - 1;
            if (!alphanumeric && (c != '-' || edge)) {
                throw new InvalidNameException(
                        kind, text, "labels are lower-case letters, digits and hyphens inside them");
            }
        }
    }

    @Override
    public int compareTo(Host other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
