package io.carlos.agent.guest;

import io.carlos.agent.container.microvm.BootConfiguration;
import io.carlos.agent.container.microvm.Guest;
import io.carlos.agent.container.microvm.GuestDialer;
import io.netty.channel.EventLoopGroup;
import java.nio.file.Path;

/**
 * Reaches the guests of virtual machines.
 *
 * @param loop of Netty's epoll transport, which stays the caller's
 */
public record HybridVsockDialer(EventLoopGroup loop) implements GuestDialer {
    @Override
    public Guest dial(Path socket) {
        return GuestClient.of(new GuestAddress.HybridVsock(socket, BootConfiguration.PORT), loop);
    }
}
