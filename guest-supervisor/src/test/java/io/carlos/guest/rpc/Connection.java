package io.carlos.guest.rpc;

import io.carlos.model.guest.v1.GuestControlGrpc;
import io.carlos.model.guest.v1.ProvisionRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A bare channel to a supervisor, to send it what a client never would. */
final class Connection implements AutoCloseable {
    static final Duration BOUND = Duration.ofSeconds(60);

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final ManagedChannel channel;

    Connection(Path socket) {
        channel = NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                .channelType(EpollDomainSocketChannel.class, DomainSocketAddress.class)
                .eventLoopGroup(loop)
                .usePlaintext()
                .maxInboundMessageSize(32 * 1024 * 1024)
                .build();
    }

    ManagedChannel channel() {
        return channel;
    }

    GuestControlGrpc.GuestControlBlockingStub calls() {
        return GuestControlGrpc.newBlockingStub(channel).withDeadlineAfter(BOUND);
    }

    GuestControlGrpc.GuestControlStub streams() {
        return GuestControlGrpc.newStub(channel).withDeadlineAfter(BOUND);
    }

    Connection provisioned(int uid) {
        calls().provision(ProvisionRequest.newBuilder()
                .setDefaultExecUid(uid)
                .putBaseEnv("PATH", "/usr/bin:/bin")
                .putBaseEnv("BASE", "from provision")
                .build());
        return this;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
