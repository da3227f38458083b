package io.carlos.agent.guest;

import java.nio.file.Path;

/** Where a guest's supervisor is reached. */
public sealed interface GuestAddress {
    /** A supervisor that is a process of this machine. */
    record UnixSocket(Path path) implements GuestAddress {}

    /** A virtual machine's, through the socket of its monitor, which wants to be told the port first. */
    record HybridVsock(Path path, int port) implements GuestAddress {}
}
