package io.carlos.control.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the decoder: a head that has begun must be complete in time, else the connection is closed; and once a
 * body is announced, nothing more of the connection is looked at.
 */
final class RequestHead extends ChannelInboundHandlerAdapter {
    private final Duration time;
    private boolean begun;
    private boolean ignoring;
    private @Nullable Future<?> timeout;

    RequestHead(Duration time) {
        this.time = time;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (ignoring) {
            ReferenceCountUtil.release(message);
            return;
        }
        begun |= message instanceof ByteBuf bytes && bytes.isReadable();
        context.fireChannelRead(message);
        // Nearly every head is complete by now, and takes no timer.
        if (begun && timeout == null) {
            timeout = context.executor().schedule(() -> context.close(), time.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** The decoder has read the head. */
    void complete() {
        begun = false;
        cancel();
    }

    /** The request has a body, which nobody wants. */
    void ignoreTheRest() {
        ignoring = true;
    }

    private void cancel() {
        Future<?> pending = timeout;
        timeout = null;
        if (pending != null) {
            pending.cancel(false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancel();
        context.fireChannelInactive();
    }
}
