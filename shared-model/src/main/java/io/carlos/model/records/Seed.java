package io.carlos.model.records;

import java.util.Locale;

/**
 * The first content of an instance's data.
 *
 * @param state an instance whose import is not committed takes no runs
 */
public record Seed(Kind kind, State state) {
    public enum Kind {
        IMPORT,
        FRESH;

        /** The text in a record. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public enum State {
        PLACED,
        COMMITTED;

        /** The text in a record. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether an import is under way whose outcome is not settled. */
    public boolean isUncommittedImport() {
        return kind == Kind.IMPORT && state != State.COMMITTED;
    }
}
