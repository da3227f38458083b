package io.carlos.agent.service;

import io.carlos.agent.service.admin.BoxInstances;
import io.carlos.agent.service.admin.NoInstances;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A box that only executes runs. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
@Conditional(OnUnits.Never.class)
class UnitlessBoxConfiguration {
    @Bean
    BoxInstances boxInstances() {
        return new NoInstances();
    }
}
