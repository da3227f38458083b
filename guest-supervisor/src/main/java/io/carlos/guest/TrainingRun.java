package io.carlos.guest;

import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.GuestControlGrpc;
import io.carlos.model.guest.v1.HealthRequest;
import io.carlos.model.guest.v1.ProvisionRequest;
import io.carlos.model.linux.process.StarterThread;
import io.carlos.model.linux.process.UserIdentity;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.context.ConfigurableApplicationContext;

/** Serves a few calls to itself and ends, for the build to see which classes a start needs and to keep them ready. */
final class TrainingRun {
    private static final int NOBODY = 65_534;

    /** Beside the directory that the build runs this in. */
    private static final Path NATIVE_PROGRAM =
            Path.of("..", "carlos").toAbsolutePath().normalize();

    private TrainingRun() {}

    public static void main(String[] args) throws IOException {
        Path directory = Files.createTempDirectory("guest-training");
        Path socket = directory.resolve("guest.sock");
        try (ConfigurableApplicationContext context =
                GuestSupervisor.application().run(settings(socket))) {
            call(socket);
            context.stop();
        } finally {
            Files.delete(directory);
        }
    }

    /** With the native program, as a machine has it, where that could be built. */
    static String[] settings(Path socket) {
        String listen = "--carlos.guest.listen=unix:" + socket;
        return Files.isExecutable(NATIVE_PROGRAM)
                ? new String[] {listen, "--carlos.guest.native-program=" + NATIVE_PROGRAM}
                : new String[] {listen};
    }

    private static void call(Path socket) {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        ManagedChannel channel = NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                .channelType(EpollDomainSocketChannel.class, DomainSocketAddress.class)
                .eventLoopGroup(loop)
                .usePlaintext()
                .build();
        try {
            GuestControlGrpc.GuestControlBlockingStub calls = GuestControlGrpc.newBlockingStub(channel);
            int uid = StarterThread.ownIdentity().map(UserIdentity::uid).orElse(NOBODY);
            require(!calls.health(HealthRequest.getDefaultInstance())
                    .getGuestdVersion()
                    .isEmpty());
            require(calls.provision(
                            ProvisionRequest.newBuilder().setDefaultExecUid(uid).build())
                    .isInitialized());
            require(calls.exec(ExecRequest.newBuilder().addCommand("true").build())
                            .getExitCode()
                    == 0);
        } finally {
            channel.shutdownNow();
            loop.shutdownGracefully();
        }
    }

    static void require(boolean success) {
        if (!success) {
            throw new IllegalStateException(
                    "the supervisor does not answer as it should; the cache would be of no use");
        }
    }
}
