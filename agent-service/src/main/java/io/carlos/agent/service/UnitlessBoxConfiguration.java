package io.carlos.agent.service;

import io.carlos.agent.instance.NotedPlaces;
import io.carlos.agent.service.admin.BoxInstances;
import io.carlos.agent.service.admin.NoInstances;
import io.carlos.model.records.Isolation;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A box that only executes runs. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
@OnIsolation(value = Isolation.UNIT, given = false)
class UnitlessBoxConfiguration {
    @Bean
    BoxInstances boxInstances() {
        return new NoInstances();
    }

    /** @param lock taken first: the notes are one agent's */
    @Bean
    NotedPlaces notedPlaces(AgentProperties properties, DataLock lock) throws IOException {
        return NotedPlaces.open(properties.data());
    }
}
