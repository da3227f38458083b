package io.carlos.control.server;

import io.carlos.control.peer.PeerGate;
import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.GracefulShutdownCallback;
import org.springframework.boot.web.server.GracefulShutdownResult;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import reactor.netty.DisposableServer;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/** Serves one handler on unix sockets, with one event loop for all of them. */
public final class UnixSocketServer implements WebServer {
    private static final Logger log = LoggerFactory.getLogger(UnixSocketServer.class);
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final List<Listener> listeners;
    private final ServerLimits limits;
    private final HttpHandler handler;
    private final OpenRequests openRequests;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final LoopResources loops = LoopResources.create("control", 1, 1, true, false);
    private final List<DisposableServer> serving = new ArrayList<>();

    /** @param openRequests also counts what the handler has others do; see {@link #shutDownGracefully} */
    public UnixSocketServer(
            List<Listener> listeners, ServerLimits limits, HttpHandler handler, OpenRequests openRequests) {
        this.listeners = List.copyOf(listeners);
        this.limits = limits;
        this.openRequests = openRequests;
        this.handler = openRequests.count(handler);
    }

    @Override
    public void start() {
        try {
            Epoll.ensureAvailability();
            for (Listener listener : listeners) {
                listener.socket().prepare();
                serving.add(server(listener).bindNow(BOUND));
                listener.socket().handOver();
                log.info("serve: {}: {}", listener.socket().path(), describe(listener.socket()));
            }
        } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
            stop();
            throw new WebServerException("cannot serve: " + e.getMessage(), e);
        }
    }

    private static String describe(ListenSocket socket) {
        return switch (socket) {
            case ListenSocket.Adopted(int descriptor, var any) -> "adopted as descriptor " + descriptor;
            case ListenSocket.Bound(var any, String owner) -> "bound by this process, for " + owner + " alone";
        };
    }

    private HttpServer server(Listener listener) {
        HttpHandler served = listener.healthOnly() ? new HealthPaths(handler) : handler;
        return HttpServer.create()
                .runOn(new GatedLoopResources(loops, () -> gated(listener)))
                .channelGroup(connections)
                .bindAddress(
                        () -> new DomainSocketAddress(listener.socket().path().toFile()))
                .idleTimeout(limits.idle())
                .httpRequestDecoder(decoder ->
                        decoder.maxInitialLineLength(limits.headBytes()).maxHeaderSize(limits.headBytes()))
                .doOnChannelInit((observer, channel, address) -> limit(channel))
                .handle(new ReactorHttpHandlerAdapter(served));
    }

    /** The gate comes first: what it does not pass on, no other handler sees. */
    private EpollServerDomainSocketChannel gated(Listener listener) {
        EpollServerDomainSocketChannel channel = listener.socket().channel();
        channel.pipeline().addFirst(new PeerGate(listener.vetting(), limits.connections(), listener.refusals()));
        return channel;
    }

    private void limit(Channel channel) {
        RequestHead head = new RequestHead(limits.headTime());
        channel.pipeline()
                .addBefore(NettyPipeline.HttpCodec, "requestHead", head)
                .addAfter(NettyPipeline.HttpCodec, "requestGuard", new RequestGuard(head, limits.headBytes()));
    }

    /** What the event loop executes, it executes only as long as it is well. */
    public Executor eventLoop() {
        return loops.onServer(true);
    }

    /** Accepts no connection any more, and lets the requests that have come get their answers, and be done. */
    @Override
    public void shutDownGracefully(GracefulShutdownCallback callback) {
        serving.forEach(server -> server.channel().close().awaitUninterruptibly());
        Thread.ofVirtual().name("drain").start(() -> {
            try {
                openRequests.awaitNone();
                callback.shutdownComplete(GracefulShutdownResult.IDLE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                callback.shutdownComplete(GracefulShutdownResult.REQUESTS_ACTIVE);
            }
        });
    }

    @Override
    public void stop() {
        serving.forEach(server -> server.channel().close().awaitUninterruptibly());
        connections.close().awaitUninterruptibly();
        serving.forEach(server -> server.disposeNow(BOUND));
        serving.clear();
        loops.disposeLater(Duration.ZERO, BOUND).block(BOUND);
    }

    /** A unix socket has none. */
    @Override
    public int getPort() {
        return -1;
    }
}
