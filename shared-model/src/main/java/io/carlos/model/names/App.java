package io.carlos.model.names;

/** The name of one app: 1 to 39 lower-case letters, digits and hyphens, the first of them no hyphen. */
public record App(String value) {
    /** @throws InvalidNameException when the text is no such name */
    public App {
        SlugRule.check("an app", value);
    }

    public static App of(String value) {
        return new App(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
