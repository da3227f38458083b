package io.carlos.agent.service;

import io.carlos.agent.AgentPulse;
import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.FleetListener;
import io.carlos.agent.fleet.FleetMember;
import io.carlos.agent.launch.process.ProcessLauncher;
import io.carlos.agent.runs.BoxRunDirectories;
import io.carlos.agent.runs.BoxRunDirectories.LeftoverKiller;
import io.carlos.agent.runs.RunDirectories;
import io.carlos.agent.service.admin.AdminSocket;
import io.carlos.agent.service.metrics.MeteredStore;
import io.carlos.agent.service.metrics.StoreCalls;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.fleet.BoxPresence;
import io.carlos.model.fleet.SupersededException;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.Tokens;
import io.carlos.model.time.Scheduler;
import io.carlos.store.ObjectStore;
import io.carlos.store.OpenedStore;
import io.carlos.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A box of a fleet: a store that was proven first, and a name that no other agent has. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
class FleetBoxConfiguration {
    private static final Logger log = LoggerFactory.getLogger(FleetBoxConfiguration.class);
    private static final Duration RETRY = Duration.ofSeconds(2);

    @Bean
    OpenedStore openedStore(AgentProperties properties) {
        return properties.store().open();
    }

    /** Nothing else has the store before it is proven. */
    @Bean(destroyMethod = "")
    ObjectStore store(OpenedStore opened, AgentProperties properties, Scheduler scheduler, StoreCalls calls)
            throws InterruptedException {
        new ProvenStore(properties.store().toString(), opened::preflight, scheduler).await();
        return MeteredStore.of(opened.objects(), calls);
    }

    @Bean
    BoxPaths boxPaths(AgentProperties properties) {
        return properties.paths();
    }

    /** Held until the process ends: commands that were given up may still run when the beans are gone. */
    @Bean(destroyMethod = "")
    DataLock dataLock(AgentProperties properties) throws IOException {
        return DataLock.take(properties.data());
    }

    /**
     * Comes last: an agent that cannot run must not take the name from one that does.
     *
     * @param lock taken before
     * @param launchers made before
     * @param socket free before, as the actuator's port is
     */
    @Bean
    BoxPresence boxPresence(
            AgentProperties properties,
            DataLock lock,
            Launchers launchers,
            AdminSocket socket,
            ObjectStore store,
            Scheduler scheduler,
            RandomGenerator random)
            throws InterruptedException {
        socket.prepare();
        ActuatorPort.requireFree(Optional.ofNullable(properties.actuatorAddress()));
        String bootId = Tokens.next(random);
        while (true) {
            try {
                BoxPresence presence = BoxPresence.begin(
                        store,
                        scheduler,
                        properties.fleetTimes(),
                        properties.region(),
                        properties.box(),
                        bootId,
                        lock.lastStart().orElse(null));
                scheduler.fork("note-start", () -> noteStart(lock, presence, scheduler));
                return presence;
            } catch (StoreException e) {
                log.warn("fleet: name not taken, trying again: box={} cause={}", properties.box(), e.getMessage());
            }
            scheduler.sleep(RETRY);
        }
    }

    private static void noteStart(DataLock lock, BoxPresence presence, Scheduler scheduler) {
        try {
            for (Duration wait = presence.heldBack(); wait.isPositive(); wait = presence.heldBack()) {
                scheduler.sleep(wait);
            }
            lock.noteStart(presence.bootId());
        } catch (InterruptedException e) {
            log.debug("fleet: start not noted: interrupted");
        } catch (IOException e) {
            log.warn("fleet: start not noted, the next one will wait before it acts: cause={}", e.getMessage());
        }
    }

    @Bean
    BoxIdentity boxIdentity(AgentProperties properties, BoxPresence presence) {
        return new BoxIdentity(
                properties.box(), presence.bootId(), presence.epoch(), properties.region(), properties.pools());
    }

    @Bean
    FleetMember fleet(
            AgentProperties properties,
            ObjectStore store,
            Scheduler scheduler,
            BoxIdentity box,
            BoxPresence presence,
            ObjectProvider<AgentPulse> pulse,
            ConfigurableApplicationContext context) {
        FleetListener listener = new FleetListener() {
            @Override
            public void lost(String other) {
                pulse.getObject().wake();
            }

            @Override
            public void superseded(SupersededException.Reason reason) {
                AgentApplication.endSuperseded(context, reason);
            }
        };
        return new FleetMember(
                store, scheduler, properties.fleetTimes(), box, presence, properties.takeOver(), listener);
    }

    /** @param places of a box that keeps account of whose data is where */
    @Bean
    RunDirectories runDirectories(
            AgentProperties properties,
            ObjectStore store,
            List<LeftoverKiller> killers,
            ObjectProvider<BoxRunDirectories.Places> places) {
        LeftoverKiller all = () -> {
            for (LeftoverKiller killer : killers) {
                killer.kill();
            }
        };
        BoxRunDirectories.Places known = places.getIfAvailable();
        return known == null
                ? new BoxRunDirectories(properties.data(), store, all)
                : BoxRunDirectories.inPlaces(properties.data(), store, all, known);
    }

    @Bean
    LeftoverKiller processLeftovers(AgentProperties properties) {
        return () -> ProcessLauncher.killLeftovers(properties.data());
    }

    @Bean
    IsolationBackend processBackend() {
        return new IsolationBackend(Isolation.PROCESS, new ProcessLauncher());
    }

    @Bean
    Launchers launchers(AgentProperties properties, List<IsolationBackend> backends) {
        return Launchers.of(properties.isolations(), backends);
    }

    /** It comes back to its instances: they stay its own, until it is taken for lost. */
    @Bean
    BoxRelease boxRelease(FleetMember fleet) {
        return fleet::stop;
    }
}
