package io.carlos.agent.service;

import io.carlos.agent.container.microvm.MicroVmRuntime;
import io.carlos.agent.runs.BoxRunDirectories.LeftoverKiller;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.records.Isolation;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A box that boots no virtual machines, and may have done so: an agent that was killed has left those it had. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
@OnIsolation(value = Isolation.MICROVM, given = false)
@EnableConfigurationProperties(MicroVmProperties.class)
class MachinelessBoxConfiguration {
    @Bean
    LeftoverKiller machineLeftovers(MicroVmProperties properties, BoxPaths paths) {
        return () -> MicroVmRuntime.clean(properties.sessionsBeneath(paths.agentRun()));
    }
}
