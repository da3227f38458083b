package io.carlos.control.server;

import io.carlos.control.peer.Verdict.Refusal;
import io.carlos.control.peer.Vetting;
import java.util.function.Consumer;

/**
 * One socket to serve.
 *
 * @param vetting decides about each connection before it is read
 * @param refusals told of each refused connection
 * @param healthOnly whether only the paths of {@link HealthPaths} are served
 */
public record Listener(ListenSocket socket, Vetting vetting, Consumer<Refusal> refusals, boolean healthOnly) {}
