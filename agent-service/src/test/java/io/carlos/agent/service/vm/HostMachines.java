package io.carlos.agent.service.vm;

import io.carlos.agent.container.microvm.HostProcessRuntime;
import io.carlos.agent.container.microvm.MicroVmRuntime;
import io.carlos.model.box.BoxPaths;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives a box machines that are processes of this one. */
@Configuration(proxyBeanMethods = false)
public class HostMachines {
    @Bean(destroyMethod = "shutdownGracefully")
    EventLoopGroup machineLoop() {
        return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    @Bean(destroyMethod = "close")
    MicroVmRuntime machines(BoxPaths paths, EventLoopGroup loop) throws IOException, InterruptedException {
        return HostProcessRuntime.machines(paths.agentRun(), loop);
    }
}
