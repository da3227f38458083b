package io.carlos.agent.service;

import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.podman.CommandUser;
import io.carlos.agent.container.podman.PodmanRuntime;
import io.carlos.agent.container.podman.PodmanSettings;
import io.carlos.agent.launch.container.ContainerLauncher;
import io.carlos.agent.launch.container.ContainerPlaces;
import io.carlos.agent.service.health.NeedsHealth;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.records.Isolation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A box that has podman make containers. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
@OnIsolation(Isolation.PODMAN)
@EnableConfigurationProperties(PodmanProperties.class)
class PodmanConfiguration {
    private static final Logger log = LoggerFactory.getLogger(PodmanConfiguration.class);

    private static final String WORKSPACE = "/workspace";

    @Bean
    NeedsHealth podmanHealthIndicator(PodmanProperties properties) {
        return new NeedsHealth(properties.needs());
    }

    @Bean
    CommandUser commandUser() {
        return CommandUser.self();
    }

    /**
     * The containers of this box are an earlier agent's when it opens, and are removed; so it must be certain that there
     * is no other agent.
     *
     * @param lock taken first: the containers are those of one agent's data
     */
    @Bean(destroyMethod = "close")
    PodmanRuntime podmanRuntime(
            PodmanProperties properties,
            BoxPaths paths,
            DataLock lock,
            CommandUser commandUser,
            NeedsHealth podmanHealthIndicator)
            throws ContainerException, InterruptedException {
        PodmanSettings settings = properties.settings(paths.data().toString(), System.getenv());
        podmanHealthIndicator
                .obstacles()
                .forEach(obstacle -> log.error("podman: no container can be started: {}", obstacle));
        return PodmanRuntime.open(commandUser.applyTo(settings));
    }

    @Bean
    IsolationBackend podmanBackend(PodmanRuntime runtime, CommandUser commandUser) {
        ContainerPlaces places = ContainerPlaces.at(WORKSPACE);
        return new IsolationBackend(Isolation.PODMAN, new ContainerLauncher(runtime, places, commandUser.uid()));
    }
}
