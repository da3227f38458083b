package io.carlos.model.names;

/** The name of one account: 1 to 39 lower-case letters, digits and hyphens, the first of them no hyphen. */
public record Account(String value) {
    /** @throws InvalidNameException when the text is no such name */
    public Account {
        SlugRule.check("an account", value);
    }

    public static Account of(String value) {
        return new Account(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
