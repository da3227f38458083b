package io.carlos.model.records;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The first content of an instance's data.
 *
 * @param state an instance whose import is not committed takes no runs
 * @param others members that this version of Carlos does not know; they are kept when the record is written again
 */
public record Seed(
        Kind kind,
        State state,
        @JsonAnySetter @JsonAnyGetter Map<String, JsonNode> others) {
    public Seed {
        others = Map.copyOf(others);
    }

    public Seed(Kind kind, State state) {
        this(kind, state, Map.of());
    }

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
