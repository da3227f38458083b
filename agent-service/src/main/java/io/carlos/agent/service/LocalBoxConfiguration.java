package io.carlos.agent.service;

import io.carlos.agent.launch.RunLauncher;
import io.carlos.agent.launch.process.ProcessLauncher;
import io.carlos.agent.local.Handover;
import io.carlos.agent.local.LocalBoxes;
import io.carlos.agent.local.LocalBoxes.LocalBox;
import io.carlos.agent.runs.BoxRunDirectories;
import io.carlos.agent.runs.RunDirectories;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.store.ObjectStore;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.IOException;
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
        return DirectoryObjectStore.open(properties.store());
    }

    @Bean
    LocalBox localBox(AgentProperties properties) throws IOException {
        return new LocalBoxes(properties.store()).take(properties.box());
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
