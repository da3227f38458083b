package io.carlos.agent.service;

import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.microvm.BootConfiguration;
import io.carlos.agent.container.microvm.GuestNetwork;
import io.carlos.agent.container.microvm.MicroVmRuntime;
import io.carlos.agent.container.microvm.MicroVmSettings;
import io.carlos.agent.container.microvm.WarmMicroVms;
import io.carlos.agent.container.pool.WarmPool;
import io.carlos.agent.guest.HybridVsockDialer;
import io.carlos.agent.launch.container.ContainerLauncher;
import io.carlos.agent.launch.container.ContainerPlaces;
import io.carlos.agent.service.admin.AdminSocket;
import io.carlos.agent.service.health.NeedsHealth;
import io.carlos.agent.service.metrics.MicroVmMetrics;
import io.carlos.agent.service.metrics.WarmMetrics;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.records.Isolation;
import io.carlos.model.time.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A box that boots virtual machines. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
@OnIsolation(Isolation.MICROVM)
@EnableConfigurationProperties(MicroVmProperties.class)
class MicroVmConfiguration {
    private static final Logger log = LoggerFactory.getLogger(MicroVmConfiguration.class);

    /** For all connections to guests, which wait more than they work. */
    @Bean(destroyMethod = "shutdownGracefully")
    EventLoopGroup guestLoop() {
        return new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("guest", true), EpollIoHandler.newFactory());
    }

    /** As it is found at the agent's start: what is mended on the box is seen by the next. */
    @Bean
    GuestNetwork guestNetwork(MicroVmProperties properties) throws InterruptedException {
        return properties.network();
    }

    @Bean
    NeedsHealth microvmHealthIndicator(MicroVmProperties properties, GuestNetwork network) {
        return new NeedsHealth(properties.needs(), network.permission()::objection);
    }

    @Bean
    MicroVmMetrics microVmMetrics(MeterRegistry registry) {
        return new MicroVmMetrics(registry);
    }

    @Bean
    MeterBinder machinesThatAreOn(ObjectProvider<MicroVmRuntime> runtime) {
        return MicroVmMetrics.machines(() -> runtime.getObject().machines());
    }

    /**
     * Every session is an earlier agent's when it opens, and ends; so it must be certain that there is no other agent.
     *
     * @param lock taken first: the sessions' workspaces are one agent's
     * @param socket found free first: the run directory is one agent's
     */
    @Bean(destroyMethod = "close")
    MicroVmRuntime microVmRuntime(
            MicroVmProperties properties,
            BoxPaths paths,
            DataLock lock,
            AdminSocket socket,
            EventLoopGroup guestLoop,
            NeedsHealth microvmHealthIndicator,
            GuestNetwork network,
            MicroVmMetrics metrics)
            throws IOException, InterruptedException {
        socket.prepare();
        MicroVmSettings settings = properties.settings(paths.agentRun());
        properties.warnings().forEach(warning -> log.warn("microvm: {}", warning));
        network.weakness().ifPresent(weakness -> log.warn("microvm: {}", weakness));
        microvmHealthIndicator
                .obstacles()
                .forEach(obstacle -> log.error("microvm: no machine can be booted: {}", obstacle));
        return MicroVmRuntime.open(
                settings,
                properties.monitor(network.helpers()),
                new HybridVsockDialer(guestLoop),
                metrics,
                network.permission());
    }

    @Bean
    IsolationBackend microVmBackend(MicroVmRuntime runtime, WarmRuns warm) {
        ContainerPlaces places = ContainerPlaces.at(BootConfiguration.WORKSPACE);
        ContainerLauncher launcher = new ContainerLauncher(runtime, places, BootConfiguration.USER, warm);
        return new IsolationBackend(Isolation.MICROVM, launcher);
    }

    @Bean
    WarmMetrics warmMetrics(MeterRegistry registry) {
        return new WarmMetrics(registry);
    }

    @Bean
    WarmPool<ContainerId> warmPool(
            MicroVmRuntime runtime, MicroVmProperties properties, Scheduler scheduler, WarmMetrics metrics) {
        return new WarmPool<>(
                new WarmMicroVms(runtime, BootConfiguration.USER, Map.of()),
                properties.warm().size(),
                properties.warm().ageLimit(),
                scheduler,
                metrics);
    }

    @Bean
    WarmRuns warmRuns(MicroVmRuntime runtime, WarmPool<ContainerId> pool, Scheduler scheduler) {
        return new WarmRuns(runtime, pool, scheduler);
    }

    @Bean
    MeterBinder machinesThatAreWarm(WarmPool<ContainerId> pool) {
        return WarmMetrics.held(pool::ready, pool::booting);
    }
}
