package io.carlos.model.files;

import io.carlos.model.json.JsonReader;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.names.InvocationId;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The members that several of the files have. */
final class Members {
    private Members() {}

    static InvocationId invocation(JsonReader in) {
        try {
            return InvocationId.of(in.text());
        } catch (InvalidNameException e) {
            throw in.refusal("invocation: " + e.getMessage());
        }
    }

    static Instant instant(JsonReader in) {
        String text = in.text();
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw in.refusal("at is \"" + text + "\", expected an RFC 3339 instant in UTC");
        }
    }

    static <T> T present(JsonReader in, String name, @Nullable T value) {
        if (value == null) {
            throw in.refusal("the member " + name + " is missing");
        }
        return value;
    }
}
