package io.carlos.agent.service;

import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.agent.launch.process.ProcessLauncher;
import io.carlos.agent.local.Handover;
import io.carlos.agent.local.LocalBoxes;
import io.carlos.agent.local.LocalBoxes.LocalBox;
import io.carlos.agent.runs.BoxRunDirectories;
import io.carlos.agent.runs.RunDirectories;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Tokens;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.store.ObjectStore;
import io.carlos.store.directory.DirectoryObjectStore;
import io.carlos.store.location.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A box that is a directory of this machine, shared with the command line's own agents; commands run as this user. */
@Configuration(proxyBeanMethods = false)
@Profile("local")
class LocalBoxConfiguration {
    @Bean
    DirectoryObjectStore store(AgentProperties properties) {
        return DirectoryObjectStore.open(directory(properties));
    }

    @Bean
    LocalBox localBox(AgentProperties properties) throws IOException {
        return new LocalBoxes(directory(properties)).take(properties.box());
    }

    private static Path directory(AgentProperties properties) {
        if (properties.store() instanceof StoreLocation.InDirectory(Path root)) {
            return root;
        }
        throw new IllegalArgumentException(AgentProperties.PREFIX + ".store is " + properties.store()
                + ": the profile local needs a directory; take the profile box for a bucket");
    }

    @Bean
    BoxIdentity boxIdentity(AgentProperties properties, RandomGenerator random) {
        return new BoxIdentity(properties.box(), Tokens.next(random), properties.region(), properties.pools());
    }

    /** The boxes of one machine tell who lives by their locks. */
    @Bean
    Fleet fleet() {
        return Fleet.NONE;
    }

    @Bean
    RunDirectories runDirectories(LocalBox box, ObjectStore store) {
        return new BoxRunDirectories(
                box.dataDirectory(), store, () -> ProcessLauncher.killLeftovers(box.dataDirectory()));
    }

    @Bean
    RunLauncher processLauncher() {
        return new ProcessLauncher();
    }

    @Bean
    Launchers launchers(RunLauncher processLauncher) {
        return new Launchers(Map.of(Isolation.PROCESS, processLauncher));
    }

    /** The box stays taken until its records are released: {@link AgentLife} does it before any bean is destroyed. */
    @Bean
    BoxRelease boxRelease(
            LocalBox box, ObjectStore store, RecordStore records, ChangeMarker marker, RandomGenerator random) {
        return new Handover(box.name(), store, records, marker, random)::tryRelease;
    }
}
