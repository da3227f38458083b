package io.carlos.agent.guest;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
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

    /** A connection is given up for reasons of its own only, not because nobody has called for a while. */
    private static final Duration NEVER_IDLE = Duration.ofDays(365);

    private GuestChannels() {}

    /**
     * Connects with the first call. The channel to a virtual machine ends with its first connection: who listens there
     * afterwards may be anybody in the machine.
     */
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
        ManagedChannel channel = builder.eventLoopGroup(loop)
                // No callback of a call blocks; on another thread, each piece of output would wait for that to wake up.
                .directExecutor()
                .usePlaintext()
                // Set unasked; on a unix socket it does not exist, and each connection would log that.
                .withOption(ChannelOption.SO_KEEPALIVE, null)
                .overrideAuthority("guest")
                .disableRetry()
                .keepAliveTime(keepAlive.interval().toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(keepAlive.bound().toNanos(), TimeUnit.NANOSECONDS)
                .maxInboundMessageSize(RESPONSE_LIMIT)
                .idleTimeout(NEVER_IDLE.toDays(), TimeUnit.DAYS)
                .build();
        if (address instanceof GuestAddress.HybridVsock) {
            endWithFirstConnection(channel, channel.getState(false));
        }
        return channel;
    }

    private static void endWithFirstConnection(ManagedChannel channel, ConnectivityState before) {
        channel.notifyWhenStateChanged(before, () -> {
            ConnectivityState now = channel.getState(false);
            if (before == ConnectivityState.READY) {
                // Calls under way on that connection still go on to their ends.
                channel.shutdown();
            } else if (now != ConnectivityState.SHUTDOWN) {
                endWithFirstConnection(channel, now);
            }
        });
    }
}
