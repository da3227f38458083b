package io.carlos.guest.transport;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.net.SocketAddress;

/** Stands in the pipeline of a listener that listens already: binding it again would fail, or replace it. */
final class AdoptedListener extends ChannelOutboundHandlerAdapter {
    @Override
    public void bind(ChannelHandlerContext context, SocketAddress address, ChannelPromise promise) {
        promise.setSuccess();
    }
}
