package io.carlos.model.json;

/** A document of a schema that this version does not know; the message names its number and the known one. */
public final class UnsupportedSchemaException extends InvalidDocumentException {
    private static final long serialVersionUID = 1L;

    private final long found;
    private final int supported;

    public UnsupportedSchemaException(String document, long found, int supported) {
        super(document, "its schema is " + found + ", and this version reads schema " + supported + " only");
        this.found = found;
        this.supported = supported;
    }

    public long found() {
        return found;
    }

    public int supported() {
        return supported;
    }
}
