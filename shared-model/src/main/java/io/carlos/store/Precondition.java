package io.carlos.store;

/** What must hold for a put to write anything. */
public sealed interface Precondition {
    Precondition CREATE_ONLY = new CreateOnly();
    Precondition NONE = new None();

    static Precondition ifMatch(String etag) {
        return new IfMatch(etag);
    }

    /** There is no value under the key. */
    record CreateOnly() implements Precondition {}

    /** The value under the key has this etag. */
    record IfMatch(String etag) implements Precondition {}

    /** Nothing; the newest write wins. */
    record None() implements Precondition {}
}
