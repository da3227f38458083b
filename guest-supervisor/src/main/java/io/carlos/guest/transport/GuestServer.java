package io.carlos.guest.transport;

import io.carlos.model.linux.PeerCredentials;
import io.carlos.model.linux.VsockAddress;
import io.carlos.model.linux.process.StarterThread;
import io.carlos.model.linux.process.UserIdentity;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.epoll.VSockAddress;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The protocol's server on one listening socket. */
public final class GuestServer {
    /** The largest request in bytes. */
    public static final int REQUEST_LIMIT = 16 * 1024 * 1024;

    /** How often a client may ask for a sign of life; without it, gRPC breaks off one that does within five minutes. */
    private static final Duration SHORTEST_KEEP_ALIVE = Duration.ofSeconds(5);

    private static final int BACKLOG = 128;

    private final Server server;
    private final EventLoopGroup loop;

    private GuestServer(Server server, EventLoopGroup loop) {
        this.server = server;
        this.loop = loop;
    }

    /**
     * Listens, and serves whoever is admitted: the host on a vsock socket, one's own user and root on a unix socket.
     *
     * @param threads runs the calls, which may block their thread
     */
    public static GuestServer start(ListenAddress address, BindableService service, Executor threads)
            throws IOException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        NettyServerBuilder builder = switch (address) {
            case ListenAddress.Unix(var path) ->
                NettyServerBuilder.forAddress(new DomainSocketAddress(path.toFile()))
                        .channelFactory(GuestServer::unixListener);
            case ListenAddress.Vsock(int port) -> {
                int listener = vsockListener(port);
                // Any address will do: it is listening on its own already.
                yield NettyServerBuilder.forAddress(new DomainSocketAddress("vsock:" + port))
                        .channelFactory(() -> adopted(listener));
            }
        };
        Server server = builder.bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .executor(threads)
                .maxInboundMessageSize(REQUEST_LIMIT)
                .permitKeepAliveTime(SHORTEST_KEEP_ALIVE.toNanos(), TimeUnit.NANOSECONDS)
                .addService(service)
                .build();
        try {
            return new GuestServer(server.start(), loop);
        } catch (IOException | RuntimeException e) {
            loop.shutdownGracefully();
            throw e;
        }
    }

    private static EpollServerDomainSocketChannel unixListener() {
        int own = ownUid();
        EpollServerDomainSocketChannel listener = new EpollServerDomainSocketChannel();
        listener.pipeline().addFirst(new PeerGate(socket -> PeerPolicy.admits(PeerCredentials.of(socket), own)));
        return listener;
    }

    private static int ownUid() {
        return StarterThread.ownIdentity().map(UserIdentity::uid).orElse(0);
    }

    /** A unix channel also serves a socket of another family, as long as nobody asks it for an address. */
    private static EpollServerDomainSocketChannel adopted(int descriptor) {
        EpollServerDomainSocketChannel listener = new EpollServerDomainSocketChannel(descriptor, true);
        listener.pipeline()
                .addFirst(
                        new PeerGate(socket -> PeerPolicy.admits(VsockAddress.ofPeer(socket))), new AdoptedListener());
        return listener;
    }

    private static int vsockListener(int port) throws IOException {
        LinuxSocket socket = LinuxSocket.newVSockStream();
        try {
            socket.bindVSock(new VSockAddress(VSockAddress.VMADDR_CID_ANY, port));
            socket.listen(BACKLOG);
            return socket.intValue();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Gives up the address, waits for the calls under way, then breaks off those that are left. */
    public void close(Duration bound) throws InterruptedException {
        server.shutdown();
        if (!server.awaitTermination(bound.toNanos(), TimeUnit.NANOSECONDS)) {
            server.shutdownNow();
            server.awaitTermination(bound.toNanos(), TimeUnit.NANOSECONDS);
        }
        loop.shutdownGracefully(0, bound.toMillis(), TimeUnit.MILLISECONDS);
    }
}
