package io.carlos.model.json;

import java.util.List;

/**
 * Writes one JSON object, its members in the order of the calls. It is for the few files that the program inside a
 * tenant's namespace writes or reads, where no JSON library is.
 */
public final class JsonWriter {
    private static final String HEX_DIGITS = "0123456789abcdef";

    private final StringBuilder json = new StringBuilder("{");

    public JsonWriter member(String name, String value) {
        begin(name);
        quote(value);
        return this;
    }

    public JsonWriter member(String name, int value) {
        begin(name);
        json.append(value);
        return this;
    }

    public JsonWriter member(String name, boolean value) {
        begin(name);
        json.append(value);
        return this;
    }

    public JsonWriter texts(String name, List<String> values) {
        begin(name);
        String separator = "[";
        for (String value : values) {
            json.append(separator);
            quote(value);
            separator = ",";
        }
        json.append(values.isEmpty() ? "[]" : "]");
        return this;
    }

    public JsonWriter objects(String name, List<JsonWriter> values) {
        begin(name);
        String separator = "[";
        for (JsonWriter value : values) {
            json.append(separator).append(value);
            separator = ",";
        }
        json.append(values.isEmpty() ? "[]" : "]");
        return this;
    }

    /** The object as it is so far. */
    @Override
    public String toString() {
        return json + "}";
    }

    private void begin(String name) {
        if (json.length() > 1) {
            json.append(',');
        }
        quote(name);
        json.append(':');
    }

    private void quote(String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u00").append(HEX_DIGITS.charAt(c >> 4)).append(HEX_DIGITS.charAt(c & 0xf));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
