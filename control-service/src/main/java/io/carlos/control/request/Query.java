package io.carlos.control.request;

import io.carlos.control.verb.Deadline;
import io.carlos.model.control.ControlApi;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one request: each that the verb has is there exactly once, and no other. A deadline is a header,
 * {@link ControlApi#DEADLINE}, and need not be there.
 */
public final class Query {
    private static final int MAX_DEADLINE_DIGITS = 18;

    private final Map<String, String> values;
    private final List<String> deadlines;

    private Query(Map<String, String> values, List<String> deadlines) {
        this.values = values;
        this.deadlines = List.copyOf(deadlines);
    }

    /**
     * Reads {@code name=value} pairs joined by {@code &}, percent-encoded.
     *
     * @param raw as it came; null or empty when there is none
     * @param parameters the names that must be there
     * @param deadlines the values of the header, as they came
     * @throws BadRequestException when one is missing, unknown, given twice or malformed, naming it
     */
    public static Query parse(@Nullable String raw, List<String> parameters, List<String> deadlines)
            throws BadRequestException {
        Map<String, String> values = new HashMap<>();
        for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                throw new BadRequestException("parameter \"" + shown(pair) + "\": expected name=value");
            }
            String name = decode(pair.substring(0, equals));
            if (!parameters.contains(name)) {
                throw new BadRequestException("parameter \"" + shown(name) + "\": it is unknown here; expected "
                        + (parameters.isEmpty() ? "none" : String.join(", ", parameters)));
            }
            if (values.put(name, decode(pair.substring(equals + 1))) != null) {
                throw new BadRequestException("parameter \"" + name + "\": it is given twice");
            }
        }
        for (String parameter : parameters) {
            if (!values.containsKey(parameter)) {
                throw new BadRequestException("parameter \"" + parameter + "\": it is missing");
            }
        }
        return new Query(values, deadlines);
    }

    public Host host() throws BadRequestException {
        return read(ControlApi.HOST, Host::of);
    }

    /** @param allowed the roles that the verb takes */
    public Role role(Role... allowed) throws BadRequestException {
        Role role = read(ControlApi.ROLE, Role::of);
        if (!List.of(allowed).contains(role)) {
            throw new BadRequestException(
                    "parameter \"" + ControlApi.ROLE + "\": " + role + ": expected one of " + Arrays.toString(allowed));
        }
        return role;
    }

    public MemoryTier memory() throws BadRequestException {
        return read(ControlApi.MEMORY_MAX, MemoryTier::of);
    }

    public InvocationId invocation() throws BadRequestException {
        return read(ControlApi.INVOCATION, InvocationId::of);
    }

    /** At most {@link ControlApi#MAX_WAIT}. */
    public Duration waitTime() throws BadRequestException {
        return read(ControlApi.WAIT, Query::seconds);
    }

    /** {@link Deadline#NONE} where the request has none. */
    public Deadline deadline() throws BadRequestException {
        if (deadlines.isEmpty()) {
            return Deadline.NONE;
        }
        String text = deadlines.getFirst();
        if (deadlines.size() > 1 || text.length() > MAX_DEADLINE_DIGITS || !isNumber(text)) {
            throw new BadRequestException("header " + ControlApi.DEADLINE + ": \"" + shown(String.join(", ", deadlines))
                    + "\": expected one number of nanoseconds since the kernel booted");
        }
        return Deadline.at(Long.parseLong(text));
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Duration seconds(String text) {
        long most = ControlApi.MAX_WAIT.toSeconds();
        if (text.length() > 2 || !isNumber(text) || Integer.parseInt(text) > most) {
            throw new InvalidNameException("a waiting time", text, "it is whole seconds, from 0 to " + most);
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }

    private <T> T read(String parameter, Function<String, T> reader) throws BadRequestException {
        String text = values.get(parameter);
        if (text == null) {
            throw new IllegalStateException(
                    "parameter " + parameter + ": it was not asked for when the query was read");
        }
        try {
            return reader.apply(text);
        } catch (InvalidNameException e) {
            throw new BadRequestException("parameter \"" + parameter + "\": " + e.getMessage(), e);
        }
    }

    /** Every valid value is ASCII, so that bytes beyond it need no decoding to be refused. */
    private static String decode(String encoded) throws BadRequestException {
        StringBuilder text = new StringBuilder();
        int next = 0;
        while (next < encoded.length()) {
            char c = encoded.charAt(next);
            if (c != '%') {
                text.append(c);
                next++;
                continue;
            }
            int high = hexDigit(encoded, next + 1);
            int low = hexDigit(encoded, next + 2);
            if (high < 0 || low < 0) {
                throw new BadRequestException(
                        "parameter \"" + shown(encoded) + "\": a % is not followed by two hex digits");
            }
            text.append((char) (high << 4 | low));
            next += 3;
        }
        return text.toString();
    }

    private static int hexDigit(String text, int at) {
        return at < text.length() && text.charAt(at) < 0x80 ? Character.digit(text.charAt(at), 16) : -1;
    }

    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.chars().limit(100).forEach(c -> shown.append(c < ' ' || c > '~' ? '?' : (char) c));
        return shown.toString();
    }
}
