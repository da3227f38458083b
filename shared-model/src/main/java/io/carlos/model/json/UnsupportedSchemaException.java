package io.carlos.model.json;

public final class UnsupportedSchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnsupportedSchemaException(String what, int found, int supported) {
        super(what + " has schema " + found + ", and this version reads only " + supported);
    }
}
