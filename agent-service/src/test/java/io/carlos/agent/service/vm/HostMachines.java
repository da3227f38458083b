package io.carlos.agent.service.vm;

import io.carlos.agent.container.microvm.HostProcessRuntime;
import io.carlos.agent.container.microvm.MicroVmRuntime;
import io.carlos.model.box.BoxPaths;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives a box machines that are processes of this one. */
@Configuration(proxyBeanMethods = false)
public class HostMachines {
    @Bean(destroyMethod = "close")
    Loop machineLoop() {
        return new Loop(new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()));
    }

    @Bean(destroyMethod = "removeAll")
    MicroVmRuntime machines(BoxPaths paths, Loop loop) throws IOException, InterruptedException {
        return HostProcessRuntime.machines(paths.run().resolve("m"), loop.group());
    }

    /** Not a bean itself: the web server would take it for its own. */
    record Loop(EventLoopGroup group) implements AutoCloseable {
        @Override
        public void close() {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }
}
