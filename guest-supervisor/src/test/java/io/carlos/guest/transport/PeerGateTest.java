package io.carlos.guest.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.VsockAddress;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PeerGateTest {
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final AtomicInteger served = new AtomicInteger();

    @TempDir
    private Path directory;

    @AfterEach
    void stop() throws Exception {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }

    /** A server that greets whoever gets in. */
    private SocketChannel connectThrough(PeerGate.Check check) throws Exception {
        Path socket = directory.resolve("socket");
        new ServerBootstrap()
                .group(loop)
                .channelFactory(() -> {
                    EpollServerDomainSocketChannel listener = new EpollServerDomainSocketChannel();
                    listener.pipeline().addFirst(new PeerGate(check));
                    return listener;
                })
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext context) {
                        served.incrementAndGet();
                        context.writeAndFlush(context.alloc().buffer().writeByte('!'));
                    }
                })
                .bind(new DomainSocketAddress(socket.toFile()))
                .sync();
        return SocketChannel.open(UnixDomainSocketAddress.of(socket));
    }

    /** Its end may also show as a reset. */
    private static int firstByte(SocketChannel connection) {
        try (connection) {
            ByteBuffer buffer = ByteBuffer.allocate(1);
            return connection.read(buffer) < 0 ? -1 : buffer.get(0);
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void anAdmittedPeerIsServed() throws Exception {
        assertThat(firstByte(connectThrough(socket -> true))).isEqualTo('!');
    }

    @Test
    void aRefusedPeerGetsNoByte() throws Exception {
        assertThat(firstByte(connectThrough(socket -> false))).isEqualTo(-1);
        assertThat(served).hasValue(0);
    }

    @Test
    void aPeerThatCannotBeAskedGetsNoByte() throws Exception {
        PeerGate.Check asksForTheWrongFamily = GuestServerChecks::vsockPeerIsHost;
        assertThat(firstByte(connectThrough(asksForTheWrongFamily))).isEqualTo(-1);
        assertThat(served).hasValue(0);
    }

    private static final class GuestServerChecks {
        static boolean vsockPeerIsHost(int socket) throws LinuxException {
            return PeerPolicy.admits(VsockAddress.ofPeer(socket));
        }
    }
}
