package io.carlos.model.json;

import io.carlos.model.text.Utf8;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pull reader of one JSON document (RFC 8259) for files that others can write: a tenant, or whoever came before. It is
 * strict where parsers tend to differ, so that two readers never see two different documents. Refused are malformed
 * UTF-8, a member given twice in one object, more than 16 levels of nesting, text after the value, and a text that holds
 * NUL or half a surrogate pair. What is skipped is checked alike, and not kept.
 *
 * <pre>{@code
 * in.beginObject();
 * for (String name = in.nextName(); name != null; name = in.nextName()) {
 *     switch (name) {
 *         case "host" -> host = in.text();
 *         default -> in.skip();
 *     }
 * }
 * in.endDocument();
 * }</pre>
 *
 * <p>Every method throws {@link InvalidDocumentException} when the document is not as it must be, and nothing else
 * whatever the document is.
 */
public final class JsonReader {
    private static final int MAX_DEPTH = 16;

    private final JsonScanner in;

    /** For each object and array that is open, the names of the members met so far; an array has none. */
    private final List<Set<String>> levels = new ArrayList<>();

    /** Whether the innermost object or array has only been opened, so that its first item takes no comma. */
    private boolean opened;

    /**
     * @param document what messages call the document
     * @param maxBytes a longer document is refused unread
     */
    public JsonReader(String document, byte[] bytes, int maxBytes) {
        if (bytes.length > maxBytes) {
            throw new InvalidDocumentException(
                    document, "it has " + bytes.length + " bytes, over the " + maxBytes + " allowed");
        }
        String json = Utf8.decode(bytes);
        if (json == null) {
            throw new InvalidDocumentException(document, "it is not well-formed UTF-8");
        }
        this.in = new JsonScanner(document, json);
    }

    public void beginObject() {
        in.expect('{', "an object");
        open();
    }

    /** The name of the next member, whose value is to be read next; null when the object ends here. */
    public @Nullable String nextName() {
        if (ends('}')) {
            return null;
        }
        String name = in.string("the name of a member");
        if (!levels.get(levels.size() - 1).add(name)) {
            throw refusal("the member \"" + name + "\" is given twice");
        }
        in.expect(':', "a colon");
        return name;
    }

    public void beginArray() {
        in.expect('[', "an array");
        open();
    }

    /** Whether there is one more element, to be read next; otherwise the array ends here. */
    public boolean nextElement() {
        return !ends(']');
    }

    public String text() {
        return in.string("a text");
    }

    /** An array of texts. */
    public List<String> texts() {
        List<String> texts = new ArrayList<>();
        beginArray();
        while (nextElement()) {
            texts.add(text());
        }
        return texts;
    }

    /** A number without fraction and exponent that an {@code int} holds. */
    public int integer() {
        String number = in.number();
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            throw in.expected("a whole number of at most 32 bits, not \"" + number + "\"");
        }
    }

    public boolean bool() {
        if (in.take("true")) {
            return true;
        }
        if (in.take("false")) {
            return false;
        }
        throw in.expected("true or false");
    }

    /** Passes over one value of any kind. */
    public void skip() {
        switch (in.peek()) {
            case '{' -> {
                beginObject();
                while (nextName() != null) {
                    skip();
                }
            }
            case '[' -> {
                beginArray();
                while (nextElement()) {
                    skip();
                }
            }
            case '"' -> text();
            case 't', 'f' -> bool();
            case 'n' -> {
                if (!in.take("null")) {
                    throw in.expected("a value");
                }
            }
            default -> in.number();
        }
    }

    /** To be called after the value: nothing may follow it. */
    public void endDocument() {
        if (!in.isAtEnd()) {
            throw in.expected("nothing more");
        }
    }

    /** The refusal of this document for a reason of the caller's. */
    public InvalidDocumentException refusal(String problem) {
        return in.refusal(problem);
    }

    private void open() {
        if (levels.size() == MAX_DEPTH) {
            throw refusal("it nests deeper than " + MAX_DEPTH + " levels");
        }
        levels.add(new HashSet<>());
        opened = true;
    }

    private boolean ends(char bracket) {
        boolean first = opened;
        opened = false;
        if (in.peek() == bracket) {
            in.expect(bracket, "");
            levels.remove(levels.size() - 1);
            return true;
        }
        if (!first) {
            in.expect(',', "a comma or " + bracket);
        }
        return false;
    }
}
