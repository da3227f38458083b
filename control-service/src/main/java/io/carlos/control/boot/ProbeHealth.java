package io.carlos.control.boot;

import io.carlos.control.ready.Readiness;
import io.carlos.model.files.ProbeReport;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The last verdict of the probe, with its lines as details. */
record ProbeHealth(Readiness readiness) implements HealthIndicator {
    @Override
    public Health health() {
        ProbeReport report = readiness.latest();
        Health.Builder health = report.ready() ? Health.up() : Health.outOfService();
        report.lines().forEach(line -> health.withDetail(line.check(), line.verdict() + ": " + line.detail()));
        return health.build();
    }
}
