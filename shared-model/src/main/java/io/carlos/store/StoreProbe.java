package io.carlos.store;

import java.time.Duration;
import java.util.Optional;

/**
 * What a preflight asks of a store behind a server, past its {@link ObjectStore}. Every method may throw
 * {@link StoreUnavailableException}.
 */
public interface StoreProbe {
    /** The etag in the head of an object, without the object; empty when there is none. */
    Optional<String> headEtag(ObjectKey key);

    /** How far the server's clock is ahead of this machine's, negative when it is behind; zero where it cannot be told apart. */
    Duration clockLead();

    /** The same store as it is to somebody who knows the name of our credentials and not their secret. */
    ObjectStore withWrongSecret();
}
