package io.carlos.model.json;

import io.carlos.model.text.Utf8;

/** The words of a JSON text, one after the other. Blanks between them are passed over. */
final class JsonScanner {
    private final String document;
    private final String json;
    private int at;

    /** @param document what messages call the text */
    JsonScanner(String document, String json) {
        this.document = document;
        this.json = json;
    }

    /** The next character that is no blank; NUL, which no JSON holds, where the text ends. */
    char peek() {
        while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        return current();
    }

    boolean isAtEnd() {
        peek();
        return at == json.length();
    }

    /** Passes over the punctuation mark, which must be next. */
    void expect(char mark, String what) {
        if (peek() != mark) {
            throw expected(what);
        }
        at++;
    }

    /** Passes over the word if it is next. */
    boolean take(String word) {
        peek();
        return takeHere(word);
    }

    /** The characters of a number, which must be next. */
    String number() {
        peek();
        int start = at;
        takeHere("-");
        if (!takeHere("0")) {
            digits();
        }
        if (takeHere(".")) {
            digits();
        }
        if (takeHere("e") || takeHere("E")) {
            if (!takeHere("+")) {
                takeHere("-");
            }
            digits();
        }
        return json.substring(start, at);
    }

    /** What a quoted text, which must be next, means. */
    String string(String what) {
        expect('"', what);
        StringBuilder text = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            if (c < ' ') {
                throw refusal("a control character stands in a text" + where());
            }
            char meant = c == '\\' ? escaped() : c;
            if (meant == '\0') {
                throw refusal("a text holds NUL" + where());
            }
            text.append(meant);
        }
        String result = text.toString();
        if (!Utf8.isEncodable(result)) {
            throw refusal("a text holds half a surrogate pair" + where());
        }
        return result;
    }

    InvalidDocumentException expected(String what) {
        return refusal("expected " + what + where());
    }

    InvalidDocumentException refusal(String problem) {
        return new InvalidDocumentException(document, problem);
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> (char) (hexDigit() << 12 | hexDigit() << 8 | hexDigit() << 4 | hexDigit());
            default -> throw refusal("a backslash escapes nothing known" + where());
        };
    }

    private int hexDigit() {
        char c = next();
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        if (c >= 'a' && c <= 'f') {
            return c - 'a' + 10;
        }
        if (c >= 'A' && c <= 'F') {
            return c - 'A' + 10;
        }
        throw refusal("\\u is not followed by four hex digits" + where());
    }

    private void digits() {
        int start = at;
        while (current() >= '0' && current() <= '9') {
            at++;
        }
        if (at == start) {
            throw expected("a digit");
        }
    }

    private boolean takeHere(String word) {
        boolean there = json.startsWith(word, at);
        at += there ? word.length() : 0;
        return there;
    }

    private char current() {
        return at < json.length() ? json.charAt(at) : '\0';
    }

    private char next() {
        if (at == json.length()) {
            throw expected("the end of a text");
        }
        return json.charAt(at++);
    }

    private String where() {
        return at == json.length() ? ", where it ends" : ", at character " + at;
    }
}
