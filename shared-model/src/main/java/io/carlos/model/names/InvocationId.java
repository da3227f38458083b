package io.carlos.model.names;

/** One start of a unit, as systemd names it in {@code INVOCATION_ID}: 32 lower-case hex digits. */
public record InvocationId(String value) {
    private static final int LENGTH = 32;

    /** @throws InvalidNameException when the text is no invocation id */
    public InvocationId {
        boolean valid = value.length() == LENGTH;
        for (int i = 0; valid && i < value.length(); i++) {
            char c = value.charAt(i);
            valid = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        }
        if (!valid) {
            throw new InvalidNameException("an invocation id", value, "it is 32 lower-case hex digits");
        }
    }

    public static InvocationId of(String value) {
        return new InvocationId(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
