package io.carlos.control.peer;

import java.util.concurrent.CompletionStage;

/** Decides about peers. */
@FunctionalInterface
public interface Vetting {
    /**
     * Returns at once, whatever has to be asked; the descriptor is looked at before it returns, and not after.
     *
     * @param socket the descriptor of an accepted unix socket, which stays the caller's
     * @return completes normally, within a bound
     */
    CompletionStage<Verdict> vet(int socket);
}
