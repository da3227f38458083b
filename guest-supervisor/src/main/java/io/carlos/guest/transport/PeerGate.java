package io.carlos.guest.transport;

import io.carlos.model.linux.LinuxException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.UnixChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands first in a listener's pipeline and closes accepted connections whose peer is not admitted, before anybody
 * reads or writes a byte. Who cannot be asked is not admitted.
 */
@ChannelHandler.Sharable
final class PeerGate extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(PeerGate.class);

    private final Check check;
    private final RefusalCount refusals = new RefusalCount(System::nanoTime);

    /** Looks at the descriptor of an accepted connection. */
    @FunctionalInterface
    interface Check {
        boolean admits(int socket) throws LinuxException;
    }

    PeerGate(Check check) {
        this.check = check;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof UnixChannel accepted && admits(accepted)) {
            context.fireChannelRead(message);
        } else if (message instanceof Channel refused) {
            refused.unsafe().closeForcibly();
        }
    }

    private boolean admits(UnixChannel accepted) {
        try {
            boolean admitted = check.admits(accepted.fd().intValue());
            if (!admitted) {
                refuse("somebody who is not admitted");
            }
            return admitted;
        } catch (LinuxException | RuntimeException e) {
            refuse("somebody of whom it cannot be told who it is: " + e.getMessage());
            return false;
        }
    }

    private void refuse(String whom) {
        refusals.add().ifPresent(count -> log.warn("refuse: peer: closed {} connections, the last of {}", count, whom));
    }
}
