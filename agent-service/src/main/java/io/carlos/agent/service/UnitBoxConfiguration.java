package io.carlos.agent.service;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.http.HttpControlChannel;
import io.carlos.agent.service.health.ControlHealth;
import io.carlos.agent.service.health.ProbeHealth;
import io.carlos.model.box.BoxPaths;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A box whose instances are units of systemd. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
@Conditional(OnUnits.class)
class UnitBoxConfiguration {
    @Bean
    HttpControlChannel controlChannel(BoxPaths paths) {
        return new HttpControlChannel(paths.controlSocket());
    }

    @Bean
    ControlHealth controlHealthIndicator(ControlChannel channel) {
        return new ControlHealth(channel);
    }

    @Bean
    ProbeHealth probeHealthIndicator(ControlChannel channel) {
        return new ProbeHealth(channel);
    }
}
