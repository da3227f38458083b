package io.carlos.agent.service;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.http.HttpControlChannel;
import io.carlos.agent.instance.BoxInstanceGate;
import io.carlos.agent.instance.InstancePlaces;
import io.carlos.agent.instance.InstanceSettings;
import io.carlos.agent.instance.InstanceState;
import io.carlos.agent.instance.InstanceTable;
import io.carlos.agent.instance.Instances;
import io.carlos.agent.instance.RecordSeedCommit;
import io.carlos.agent.launch.unit.UnitLauncher;
import io.carlos.agent.logs.InstanceLogs;
import io.carlos.agent.logs.Journal;
import io.carlos.agent.logs.JournalSocket;
import io.carlos.agent.logs.LogLimits;
import io.carlos.agent.logs.StreamListener;
import io.carlos.agent.runs.BoxRunDirectories.LeftoverKiller;
import io.carlos.agent.service.admin.BoxInstances;
import io.carlos.agent.service.admin.UnitInstances;
import io.carlos.agent.service.health.ControlHealth;
import io.carlos.agent.service.health.ProbeHealth;
import io.carlos.agent.service.health.SharedProbe;
import io.carlos.agent.service.health.SweepHealth;
import io.carlos.agent.service.metrics.AgentMetrics;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordStore;
import io.carlos.model.time.Scheduler;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A box whose instances are units of systemd. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
@OnIsolation(Isolation.UNIT)
class UnitBoxConfiguration {
    @Bean
    HttpControlChannel controlChannel(BoxPaths paths) {
        return new HttpControlChannel(paths.controlSocket());
    }

    @Bean
    SharedProbe sharedProbe(ControlChannel channel) {
        return new SharedProbe(channel);
    }

    @Bean
    ControlHealth controlHealthIndicator(SharedProbe probe) {
        return new ControlHealth(probe);
    }

    @Bean
    ProbeHealth probeHealthIndicator(SharedProbe probe) {
        return new ProbeHealth(probe);
    }

    /** @param lock taken first: the rows are one agent's */
    @Bean
    InstanceTable instanceTable(AgentProperties properties, DataLock lock) throws IOException {
        return InstanceTable.open(properties.data());
    }

    @Bean
    JournalSocket journal(Scheduler scheduler) throws IOException {
        return new JournalSocket(JournalSocket.DEFAULT_PATH, scheduler);
    }

    @Bean
    InstanceLogs instanceLogs(BoxPaths paths, Journal journal, Scheduler scheduler) throws IOException {
        return new InstanceLogs(paths, StreamListener.onlyRoot(), journal, LogLimits.DEFAULT, scheduler);
    }

    @Bean
    Instances instances(
            ControlChannel channel,
            InstanceTable table,
            InstanceLogs logs,
            RecordStore records,
            BoxPaths paths,
            Scheduler scheduler) {
        return new Instances(
                channel, table, logs, new RecordSeedCommit(records), paths, InstanceSettings.DEFAULT, scheduler);
    }

    @Bean
    SweepHealth sweepHealthIndicator(Instances instances) {
        return new SweepHealth(instances::heldBack);
    }

    @Bean
    BoxInstances boxInstances(Instances instances, InstanceLogs logs, ControlChannel channel) {
        return new UnitInstances(instances, logs, channel);
    }

    @Bean
    InstancePlaces instancePlaces(Instances instances, Scheduler scheduler) {
        return new InstancePlaces(instances, scheduler);
    }

    @Bean
    IsolationBackend unitBackend(
            ControlChannel channel, BoxPaths paths, Instances instances, InstancePlaces places, Scheduler scheduler)
            throws IOException {
        UnitLauncher launcher = new UnitLauncher(
                channel,
                paths,
                new BoxInstanceGate(instances, places, scheduler),
                scheduler,
                StreamListener.onlyRoot());
        return new IsolationBackend(Isolation.UNIT, launcher);
    }

    /** Nothing of an earlier agent runs after it. */
    @Bean
    LeftoverKiller unitLeftovers(Instances instances) {
        return instances::sweep;
    }

    @Bean
    BoxBegin beginInstances(Instances instances) {
        return instances::begin;
    }

    @Bean
    MeterBinder instanceStates(Instances instances) {
        List<String> states =
                Stream.of(InstanceState.values()).map(InstanceState::toString).toList();
        return AgentMetrics.instances(
                states,
                state -> instances.rows().stream()
                        .filter(row -> row.state().toString().equals(state))
                        .count());
    }

    @Bean
    MeterBinder printedLines(InstanceLogs logs, JournalSocket journal) {
        return AgentMetrics.logs(logs::pauses, journal::dropped);
    }
}
