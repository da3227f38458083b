package io.carlos.control.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.net.SocketAddress;

/** Stands in the pipeline of a listener that listens already: binding again would put another socket in its place. */
final class AdoptedListener extends ChannelOutboundHandlerAdapter {
    @Override
    public void bind(ChannelHandlerContext context, SocketAddress address, ChannelPromise promise) {
        promise.setSuccess();
    }
}
