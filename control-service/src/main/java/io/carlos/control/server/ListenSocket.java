package io.carlos.control.server;

import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;

/** Where a server listens. */
public sealed interface ListenSocket {
    /** Where the socket is in the file system. */
    Path path();

    /** @param descriptor of a unix stream socket that listens already, and that somebody else owns */
    record Adopted(int descriptor, Path path) implements ListenSocket {}

    /** @param owner the user and group whose the socket is to be, with mode 0600 */
    record Bound(Path path, String owner) implements ListenSocket {}

    /** The channel that listens, with nothing in its pipeline yet that lets anybody in. */
    default EpollServerDomainSocketChannel channel() {
        return switch (this) {
            case Bound any -> new EpollServerDomainSocketChannel();
            case Adopted(int descriptor, Path any) -> {
                EpollServerDomainSocketChannel channel = new EpollServerDomainSocketChannel(descriptor, true);
                channel.pipeline().addFirst(new AdoptedListener());
                yield channel;
            }
        };
    }

    /**
     * Removes the socket that an earlier process left behind.
     *
     * @throws IOException when somebody listens on it, or something else is there
     */
    default void prepare() throws IOException {
        if (this instanceof Adopted || Files.notExists(path(), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (isListening(path())) {
            throw new IOException(path() + ": another process listens on it; stop that first");
        }
        Files.delete(path());
    }

    /** Gives the new socket to its owner. Until then its mode lets nobody but this user connect. */
    default void handOver() throws IOException {
        if (this instanceof Bound(Path path, String owner)) {
            UserPrincipalLookupService users = path.getFileSystem().getUserPrincipalLookupService();
            PosixFileAttributeView view =
                    Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            if (!view.getOwner().getName().equals(owner)) {
                view.setGroup(users.lookupPrincipalByGroupName(owner));
                view.setOwner(users.lookupPrincipalByName(owner));
            }
        }
    }

    private static boolean isListening(Path path) throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.connect(UnixDomainSocketAddress.of(path));
        } catch (SocketException e) {
            if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther()) {
                throw new IOException(path + ": expected a socket or nothing, found something else", e);
            }
            return false;
        }
    }
}
