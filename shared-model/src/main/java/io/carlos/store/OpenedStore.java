package io.carlos.store;

/** A store with what belongs to it, opened by its location and closed as a whole. */
public interface OpenedStore extends AutoCloseable {
    ObjectStore objects();

    /** Proves that the store keeps its contract; see {@link StorePreflight}. */
    PreflightReport preflight();

    @Override
    void close();
}
