package io.carlos.cli.help;

import java.util.Objects;

/** Which carlos this is. */
public final class Version {
    private Version() {}

    /** As in {@code carlos 1.2.3}; classes that were not packaged do not know their version. */
    public static String text() {
        return "carlos "
                + Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(), "(development)");
    }
}
