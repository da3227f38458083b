package io.carlos.control.boot;

import io.carlos.control.cgroup.CgroupWatch;
import io.carlos.control.cgroup.NamespaceInit;
import io.carlos.control.metrics.ControlMetrics;
import io.carlos.control.ready.Probe;
import io.carlos.control.ready.Readiness;
import io.carlos.control.request.Endpoints;
import io.carlos.control.server.ServerLimits;
import io.carlos.control.unit.UnitManager;
import io.carlos.control.unit.UnitManagers;
import io.carlos.control.verb.CmdVerb;
import io.carlos.control.verb.SeedVerb;
import io.carlos.control.verb.StartVerb;
import io.carlos.control.verb.Starts;
import io.carlos.control.verb.StatusFiles;
import io.carlos.control.verb.StopSequence;
import io.carlos.control.verb.StopTimes;
import io.carlos.control.verb.StopVerb;
import io.carlos.control.verb.SweepVerb;
import io.carlos.model.box.BoxPaths;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is done, whoever asks. */
@Configuration(proxyBeanMethods = false)
class VerbConfiguration {
    @Bean
    UnitManagers unitManagers(ControlSettings settings) {
        return UnitManagers.by(Path.of(settings.systemctl()), ServerLimits.DEFAULT.connections());
    }

    @Bean
    ControlMetrics controlMetrics(MeterRegistry registry) {
        return new ControlMetrics(registry);
    }

    @Bean
    CgroupWatch cgroupWatch(ControlSettings settings, ControlMetrics metrics) throws IOException {
        return CgroupWatch.open(Path.of(settings.cgroupRoot()), metrics::cgroupWait);
    }

    @Bean
    Readiness readiness(ControlSettings settings, UnitManagers systemd, ControlMetrics metrics) {
        BoxPaths paths = settings.paths();
        Probe.SecretOwner owner = new Probe.SecretOwner("root", settings.peer().user());
        Probe probe = new Probe(systemd.verbs(), paths.probeSecret(), paths.probeReport(), owner);
        Readiness readiness =
                new Readiness(probe::run, Readiness.Times.every(settings.probeInterval()), metrics::probed);
        metrics.showReadiness(() -> readiness.latest().ready());
        return readiness;
    }

    @Bean
    Endpoints endpoints(ControlSettings settings, UnitManagers systemd, CgroupWatch cgroups, Readiness readiness) {
        UnitManager verbs = systemd.verbs();
        UnitManager stops = systemd.stops();
        StatusFiles statusFiles = new StatusFiles(settings.paths());
        StopSequence stopSequence = new StopSequence(
                stops,
                cgroups,
                new NamespaceInit(Path.of(settings.cgroupRoot()))::terminate,
                statusFiles,
                StopTimes.DEFAULT);
        Starts starts = new Starts(readiness::require, stopSequence::stop);
        return new Endpoints(
                stops,
                new StartVerb(verbs, starts),
                new SeedVerb(verbs, starts, stopSequence, statusFiles),
                new CmdVerb(verbs, cgroups, starts),
                new StopVerb(starts, stopSequence),
                new SweepVerb(stops, starts, stopSequence),
                readiness);
    }
}
