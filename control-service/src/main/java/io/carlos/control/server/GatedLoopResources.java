package io.carlos.control.server;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.ServerDomainSocketChannel;
import java.time.Duration;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

/**
 * Event loops whose listener is the given one. This is where Reactor Netty makes the channel of a server: later customizers
 * cannot replace it, as they can replace the loops.
 */
record GatedLoopResources(LoopResources loops, Supplier<? extends ServerDomainSocketChannel> listener)
        implements LoopResources {
    @Override
    @SuppressWarnings("unchecked")
    public <C extends Channel> C onChannel(Class<C> type, EventLoopGroup group) {
        // The type that Reactor Netty asks for is this interface exactly, and any implementation of it will do.
        return type.equals(ServerDomainSocketChannel.class) ? (C) listener.get() : loops.onChannel(type, group);
    }

    @Override
    public <C extends Channel> Class<? extends C> onChannelClass(Class<C> type, EventLoopGroup group) {
        return loops.onChannelClass(type, group);
    }

    @Override
    public EventLoopGroup onClient(boolean preferNative) {
        return loops.onClient(preferNative);
    }

    @Override
    public EventLoopGroup onServer(boolean preferNative) {
        return loops.onServer(preferNative);
    }

    @Override
    public EventLoopGroup onServerSelect(boolean preferNative) {
        return loops.onServerSelect(preferNative);
    }

    @Override
    public boolean daemon() {
        return loops.daemon();
    }

    @Override
    public void dispose() {
        loops.dispose();
    }

    @Override
    public boolean isDisposed() {
        return loops.isDisposed();
    }

    @Override
    public Mono<Void> disposeLater() {
        return loops.disposeLater();
    }

    @Override
    public Mono<Void> disposeLater(Duration quietPeriod, Duration timeout) {
        return loops.disposeLater(quietPeriod, timeout);
    }
}
