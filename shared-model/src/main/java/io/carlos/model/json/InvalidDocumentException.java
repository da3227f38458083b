package io.carlos.model.json;

import org.jspecify.annotations.Nullable;

/**
 * A document that is not what it was taken for; the message names the document and what was expected of it. What the
 * message repeats of the document is harmless: no control characters, and no more than a few lines.
 */
public class InvalidDocumentException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_LENGTH = 500;

    /** @param document what was read, such as {@code launch file} */
    public InvalidDocumentException(String document, String problem) {
        this(document, problem, null);
    }

    public InvalidDocumentException(String document, String problem, @Nullable Throwable cause) {
        super(harmless(document + ": " + problem), cause);
    }

    private static String harmless(String text) {
        StringBuilder harmless = new StringBuilder();
        for (int i = 0; i < text.length() && i < MAX_LENGTH; i++) {
            char c = text.charAt(i);
            harmless.append(Character.isISOControl(c) ? '?' : c);
        }
        return harmless.append(text.length() > MAX_LENGTH ? "…" : "").toString();
    }
}
