package io.carlos.agent.service;

import io.carlos.agent.PassJournal;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.service.admin.AgentControl;
import io.carlos.agent.service.health.FleetHealth;
import io.carlos.agent.service.health.PassesHealth;
import io.carlos.agent.service.health.StoreHealth;
import io.carlos.agent.service.metrics.AgentMetrics;
import io.carlos.agent.service.metrics.StoreCalls;
import io.carlos.model.linux.ServiceNotifier;
import io.carlos.model.time.Scheduler;
import io.carlos.store.ObjectKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Profile;
import org.springframework.http.server.reactive.HttpHandler;

/** How others see that a box lives, is ready, and what it does: systemd's notifications, health and metrics. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
class BoxSignsConfiguration {
    /** After so many intervals without a complete pass the store is taken not to serve. */
    private static final int PATIENCE = 3;

    @Bean
    PassJournal passJournal(Scheduler scheduler) {
        return new PassJournal(scheduler);
    }

    @Bean
    SystemdSigns systemdSigns(PassJournal journal) {
        return new SystemdSigns(
                ServiceNotifier.of(System.getenv(), ProcessHandle.current().pid()), journal);
    }

    @Bean
    ActuatorPort actuatorPort(AgentProperties properties, HttpHandler handler) {
        return new ActuatorPort(Optional.ofNullable(properties.actuatorAddress()), handler);
    }

    @Bean
    AgentMetrics agentMetrics(MeterRegistry registry) {
        return new AgentMetrics(registry);
    }

    @Bean
    @Primary
    StoreCalls storeCalls(AgentMetrics metrics, PassJournal journal) {
        return new StoreCalls() {
            @Override
            public void ended(Operation operation, Outcome outcome, Duration took) {
                metrics.ended(operation, outcome, took);
                journal.storeAnswered();
            }

            @Override
            public void put(ObjectKey key, int bytes, Outcome outcome) {
                metrics.put(key, bytes, outcome);
            }
        };
    }

    @Bean
    MeterBinder executingRuns(AgentControl control) {
        return AgentMetrics.executing(() -> control.executing().size());
    }

    @Bean
    PassesHealth passesHealthIndicator(PassJournal journal) {
        return new PassesHealth(journal);
    }

    @Bean
    StoreHealth storeHealthIndicator(PassJournal journal, AgentProperties properties) {
        return new StoreHealth(journal, properties.passInterval().multipliedBy(PATIENCE));
    }

    @Bean
    FleetHealth fleetHealthIndicator(Fleet fleet) {
        return new FleetHealth(fleet);
    }
}
