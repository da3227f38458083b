package io.carlos.agent.logs;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A unix stream socket that a unit prints to. systemd connects its output to it once for each program of the unit; every
 * connection is read to its end, each on a virtual thread of its own.
 */
public final class StreamListener {
    private static final Logger log = LoggerFactory.getLogger(StreamListener.class);
    private static final String ONLY_OWNER = "rw-------";
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);

    private final Path path;
    private final Predicate<UserPrincipal> peers;
    private final Supplier<? extends StreamSink> sinks;
    private final ServerSocketChannel server;
    private final Connections connections;
    private final AtomicBoolean finishing = new AtomicBoolean();
    private final Thread acceptor;

    /** Set before the server is closed at its due time. */
    private volatile boolean draining;

    private StreamListener(
            Path path,
            Predicate<UserPrincipal> peers,
            Supplier<? extends StreamSink> sinks,
            ServerSocketChannel server) {
        this.path = path;
        this.peers = peers;
        this.sinks = sinks;
        this.server = server;
        this.connections = new Connections(path.getFileName().toString());
        this.acceptor = Thread.ofVirtual().name("accept " + path.getFileName()).start(this::acceptUntilFinished);
    }

    /**
     * Listens from now until {@link #finish}.
     *
     * @param path replaced when a listener of an earlier agent has left its socket there
     * @param peers who may connect; anybody else is hung up on unread
     * @param sinks asked for the sink of each connection when it comes
     * @throws IOException when nobody could connect to it
     */
    public static StreamListener open(Path path, Predicate<UserPrincipal> peers, Supplier<? extends StreamSink> sinks)
            throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            Files.deleteIfExists(path);
            server.bind(UnixDomainSocketAddress.of(path));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(ONLY_OWNER));
            return new StreamListener(path, peers, sinks, server);
        } catch (IOException e) {
            server.close();
            throw new IOException("log listener: " + path + ": cannot listen: " + e.getMessage(), e);
        }
    }

    /** Lets nobody connect but root: systemd does, on behalf of the units it starts. */
    public static Predicate<UserPrincipal> onlyRoot() throws IOException {
        UserPrincipal root =
                FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName("root");
        return root::equals; // compares the user's number
    }

    /**
     * Stops listening, and returns when every byte was taken over that was written before the call, also over connections
     * that nobody had accepted yet; nothing is left of the listener then. To be called when the unit has ended. An
     * interrupted call can be made again.
     *
     * @param bound how long a connection may stay open that somebody still holds; time in which a sink holds the bytes
     *     does not count
     */
    public StreamEnd finish(Duration bound) throws InterruptedException {
        if (finishing.compareAndSet(false, true)) {
            // On a thread of its own: whoever interrupts this one must not close the connection.
            Thread.ofVirtual().name("finish " + path.getFileName()).start(this::wakeAcceptor);
        }
        acceptor.join();
        return connections.finish(bound);
    }

    /** Its accept returns for this connection at the latest, which stands behind all others in the backlog. */
    private void wakeAcceptor() {
        try (SocketChannel wake = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            log.trace("log listener: {}: finishing: {}", path, wake);
        } catch (IOException e) {
            if (draining) {
                return; // another connection has woken it
            }
            log.error("log listener: {}: connections that were not accepted yet are lost", path, e);
            connections.lose();
            closeServer();
        }
    }

    private void acceptUntilFinished() {
        try {
            while (!finishing.get()) {
                admit(accept());
            }
            draining = true;
            server.configureBlocking(false);
            for (SocketChannel next = accept(); next != null; next = accept()) {
                admit(next);
            }
        } catch (ClosedChannelException e) {
            log.debug("log listener: {}: closed", path);
        } catch (IOException | InterruptedException | RuntimeException e) {
            log.error("log listener: {}: accepts no more", path, e);
            connections.lose();
        } finally {
            closeServer();
            unlink();
        }
    }

    /** Goes on after a failure such as too many open files: what is in the backlog must not be lost for it. */
    private @Nullable SocketChannel accept() throws ClosedChannelException, InterruptedException {
        while (true) {
            try {
                return server.accept();
            } catch (ClosedChannelException e) {
                throw e;
            } catch (IOException e) {
                log.warn("log listener: {}: cannot accept, trying again: {}", path, e.getMessage());
                Thread.sleep(PAUSE_AFTER_FAILURE);
            }
        }
    }

    private void admit(@Nullable SocketChannel connection) {
        if (connection == null) {
            return;
        }
        try {
            UserPrincipal peer =
                    connection.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            if (peers.test(peer)) {
                connections.add(connection, sinks.get());
                return;
            }
            if (!finishing.get()) { // else it is most likely the wake-up call
                log.warn("log listener: {}: refused: user={}", path, peer.getName());
            }
        } catch (IOException | RuntimeException e) {
            log.error("log listener: {}: a connection could not be taken", path, e);
            connections.lose();
        }
        Connections.close(connection);
    }

    private void closeServer() {
        try {
            server.close();
        } catch (IOException e) {
            log.warn("log listener: {}: not closed: {}", path, e.getMessage());
        }
    }

    private void unlink() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            log.warn("log listener: {}: not removed: {}", path, e.getMessage());
        }
    }
}
