package io.carlos.agent.guest;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Makes connections to supervisors. */
final class GuestChannels {
    /** Both outputs of an exec at their limit of 8 MiB, and what surrounds them. */
    private static final int RESPONSE_LIMIT = 17 * 1024 * 1024;

    /** A virtual machine monitor answers at once, and one that does not would hold up all calls. */
    private static final Duration HANDSHAKE_BOUND = Duration.ofSeconds(5);

    private GuestChannels() {}

    /** Connects with the first call, and again after a break. */
    static ManagedChannel open(GuestAddress address, EventLoopGroup loop, KeepAlive keepAlive) {
        NettyChannelBuilder builder = switch (address) {
            case GuestAddress.UnixSocket(var path) ->
                NettyChannelBuilder.forAddress(new DomainSocketAddress(path.toFile()))
                        .channelType(EpollDomainSocketChannel.class, DomainSocketAddress.class);
            case GuestAddress.HybridVsock(var path, int port) ->
                NettyChannelBuilder.forAddress(new DomainSocketAddress(path.toFile()))
                        .channelFactory(() -> {
                            EpollDomainSocketChannel channel = new EpollDomainSocketChannel();
                            channel.pipeline().addFirst(new HybridVsockHandshake(port, HANDSHAKE_BOUND));
                            return channel;
                        });
        };
        return builder.eventLoopGroup(loop)
                // No callback of a call blocks; on another thread, each piece of output would wait for that to wake up.
                .directExecutor()
                .usePlaintext()
                .overrideAuthority("guest")
                .disableRetry()
                .keepAliveTime(keepAlive.interval().toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(keepAlive.bound().toNanos(), TimeUnit.NANOSECONDS)
                .maxInboundMessageSize(RESPONSE_LIMIT)
                .build();
    }
}
