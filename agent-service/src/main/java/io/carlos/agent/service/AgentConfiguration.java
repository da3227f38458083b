package io.carlos.agent.service;

import io.carlos.agent.AgentPulse;
import io.carlos.agent.BoxIdentity;
import io.carlos.agent.PassListener;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.local.MarkerWatch;
import io.carlos.agent.reconcile.ClaimPolicy;
import io.carlos.agent.reconcile.InstanceSink;
import io.carlos.agent.reconcile.Reconciler;
import io.carlos.agent.runs.RunDirectories;
import io.carlos.agent.runs.RunsContext;
import io.carlos.agent.runs.RunsListener;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.agent.service.admin.AgentControl;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.ObjectStore;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The agent's parts, whatever the box is; the store, directories and launchers are the profile's. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AgentProperties.class)
class AgentConfiguration {
    /** The bean that operators' commands are for. */
    static final String CONTROL = "agentControl";

    @Bean
    Scheduler scheduler() {
        return new SystemScheduler();
    }

    @Bean
    RandomGenerator random() {
        return new SecureRandom();
    }

    @Bean
    RecordStore recordStore(ObjectStore store, Scheduler scheduler, RandomGenerator random) {
        return new RecordStore(store, scheduler, random);
    }

    @Bean
    ChangeMarker changeMarker(ObjectStore store, BoxIdentity box) {
        return new ChangeMarker(store, box.region());
    }

    @Bean
    RunsWorker runsWorker(
            BoxIdentity box,
            ObjectStore store,
            RecordStore records,
            Launchers launchers,
            RunDirectories directories,
            Scheduler scheduler,
            RandomGenerator random,
            Fleet fleet,
            AgentProperties properties,
            ObjectProvider<RunsListener> listener) {
        return new RunsWorker(new RunsContext(
                box,
                store,
                records,
                new RunCloser(store, records, scheduler),
                launchers.byIsolation(),
                directories,
                scheduler,
                random,
                properties.settings().runs(),
                fleet,
                listener.getIfAvailable(() -> RunsListener.NONE)));
    }

    @Bean
    Reconciler reconciler(
            BoxIdentity box,
            AgentProperties properties,
            Fleet fleet,
            Launchers launchers,
            ObjectStore store,
            RecordStore records,
            RunsWorker worker,
            ObjectProvider<InstanceSink> instances,
            Scheduler scheduler) {
        return new Reconciler(
                box,
                new ClaimPolicy(
                        record -> launchers.byIsolation().containsKey(record.isolation()),
                        properties.maxInstances(),
                        properties.takeOver()),
                fleet,
                store,
                records,
                worker::runSeen,
                instances.getIfAvailable(() -> (owned, undecided) -> {}),
                scheduler);
    }

    @Bean
    AgentPulse agentPulse(
            AgentProperties properties,
            Fleet fleet,
            Reconciler reconciler,
            RunsWorker worker,
            RunDirectories directories,
            ChangeMarker marker,
            Scheduler scheduler,
            ObjectProvider<PassListener> listeners) {
        return new AgentPulse(
                properties.settings(),
                fleet,
                reconciler,
                worker,
                directories,
                marker,
                scheduler,
                PassListener.all(listeners.orderedStream().toList()));
    }

    @Bean
    MarkerWatch markerWatch(ObjectStore store, ChangeMarker marker, AgentPulse pulse) {
        return MarkerWatch.start(store, marker, pulse::wake);
    }

    @Bean(CONTROL)
    AgentControl agentControl(RunsWorker worker, AgentPulse pulse) {
        return new AgentControl(worker, pulse);
    }
}
