package io.carlos.control.peer;

import io.carlos.control.peer.Verdict.Refusal;
import io.carlos.control.peer.Verdict.Refused;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.UnixChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands first in a listener's pipeline. An accepted connection has no event loop yet and so is not read; it goes on to
 * get one only when its peer is admitted, and is closed otherwise. Connections that are open or being vetted are counted:
 * at the limit no further one is accepted until one of them is closed.
 */
public final class PeerGate extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(PeerGate.class);

    private final Vetting vetting;
    private final int limit;
    private final Consumer<Refusal> refusals;

    /** Touched by the listener's event loop alone. */
    private int open;

    /**
     * @param limit of connections at a time
     * @param refusals told of each refused connection
     */
    public PeerGate(Vetting vetting, int limit, Consumer<Refusal> refusals) {
        this.vetting = vetting;
        this.limit = limit;
        this.refusals = refusals;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof UnixChannel accepted)) {
            // Nothing else is accepted here; what it may be, it was not vetted.
            ((Channel) message).unsafe().closeForcibly();
            return;
        }
        open++;
        if (open >= limit) {
            context.channel().config().setAutoRead(false);
        }
        vetting.vet(accepted.fd().intValue())
                .whenComplete((verdict, failure) ->
                        context.executor().execute(() -> decide(context, accepted, verdict, failure)));
    }

    private void decide(
            ChannelHandlerContext context,
            UnixChannel accepted,
            @Nullable Verdict verdict,
            @Nullable Throwable failure) {
        if (failure == null
                && verdict instanceof Verdict.Admitted
                && context.channel().isOpen()) {
            admit(context, accepted);
            return;
        }
        accepted.unsafe().closeForcibly();
        closed(context);
        if (failure != null) {
            log.warn("refuse: peer: it cannot be vetted", failure);
            refusals.accept(Refusal.UNKNOWN);
        } else if (verdict instanceof Refused(Refusal reason, String detail)) {
            log.warn("refuse: peer: {}: {}", reason.tag(), detail);
            refusals.accept(reason);
        }
    }

    private void admit(ChannelHandlerContext context, UnixChannel accepted) {
        context.fireChannelRead(accepted);
        if (accepted.isOpen()) {
            accepted.closeFuture().addListener(any -> context.executor().execute(() -> closed(context)));
        } else {
            closed(context);
        }
    }

    private void closed(ChannelHandlerContext context) {
        open--;
        if (open < limit) {
            context.channel().config().setAutoRead(true);
        }
    }
}
