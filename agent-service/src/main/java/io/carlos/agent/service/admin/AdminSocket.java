package io.carlos.agent.service.admin;

import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.PeerCredentials;
import io.netty.channel.Channel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import reactor.netty.http.server.HttpServer;

/**
 * Has the web server listen on a unix socket, and on nothing else. Directory and socket are this user's alone, and a connection of
 * another peer is closed before anything of it is read.
 */
public final class AdminSocket implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {
    private static final Logger log = LoggerFactory.getLogger(AdminSocket.class);
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?> OWNER_ALONE = PosixFilePermissions.asFileAttribute(OWNER);
    private static final String REFUSED = "Connection refused";

    private final Path path;
    private final Predicate<PeerCredentials> admitted;

    AdminSocket(Path path, Predicate<PeerCredentials> admitted) {
        this.path = path;
        this.admitted = admitted;
    }

    /** Admits root and whoever this process runs as. */
    static Predicate<PeerCredentials> operators() {
        int own = ownUid();
        return peer -> peer.uid() == 0 || peer.uid() == own;
    }

    private static int ownUid() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException("/proc/self: expected the owner of this process; mount /proc", e);
        }
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(this::listen);
    }

    HttpServer listen(HttpServer server) {
        return server.bindAddress(() -> {
                    prepare();
                    return new DomainSocketAddress(path.toFile());
                })
                .doOnBound(any -> keepToOwner())
                .doOnChannelInit((observer, channel, address) -> vet(channel));
    }

    /**
     * Makes the directory when it lacks, and removes the socket that an earlier process left behind.
     *
     * @throws UncheckedIOException another process listens, or what is there is no place for a socket
     */
    public void prepare() {
        try {
            Path directory = path.getParent();
            Files.createDirectories(directory, OWNER_ALONE);
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory);
            if (!OWNER.containsAll(mode)) {
                throw new IOException(directory + " has mode " + PosixFilePermissions.toString(mode)
                        + ": expected one that lets nobody but its owner in: chmod 0700 it");
            }
            if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            if (isListening()) {
                throw new IOException(path + ": another process listens on it; stop that first");
            }
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException("admin socket: " + e.getMessage(), e);
        }
    }

    private boolean isListening() throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.connect(UnixDomainSocketAddress.of(path));
        } catch (SocketException e) {
            if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther()) {
                throw new IOException(path + ": expected a socket or nothing, found something else", e);
            }
            if (!REFUSED.equals(e.getMessage())) {
                throw new IOException(
                        path + ": nobody knows whether another process listens on it: " + e.getMessage(), e);
            }
            return false;
        }
    }

    private void keepToOwner() {
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException("admin socket: " + path + ": its mode cannot be set to 0600", e);
        }
    }

    /** Called before the channel is read for the first time. */
    private void vet(Channel channel) {
        try {
            if (channel instanceof UnixChannel unix) {
                PeerCredentials peer = PeerCredentials.of(unix.fd().intValue());
                if (admitted.test(peer)) {
                    return;
                }
                log.warn("refuse: peer: uid={} pid={}: expected root or the agent's own user", peer.uid(), peer.pid());
            } else {
                log.warn("refuse: peer: its channel is no unix socket: {}", channel);
            }
        } catch (LinuxException e) {
            log.warn("refuse: peer: cause={}", e.getMessage());
        }
        channel.unsafe().closeForcibly();
    }
}
