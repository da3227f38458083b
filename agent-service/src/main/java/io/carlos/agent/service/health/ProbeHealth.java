package io.carlos.agent.service.health;

import io.carlos.agent.control.ControlException;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Whether the box is proven to isolate instances; the lines of the probe that are not ok are its details. */
public final class ProbeHealth extends AbstractHealthIndicator {
    private final SharedProbe probe;

    public ProbeHealth(SharedProbe probe) {
        super("probe: not asked for");
        this.probe = probe;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) throws InterruptedException {
        try {
            ProbeReport report = probe.report();
            if (report.ready()) {
                health.up();
            } else {
                health.outOfService();
            }
            report.lines().stream()
                    .filter(line -> line.verdict() != ProbeLine.Verdict.OK)
                    .forEach(line -> health.withDetail(line.check(), line.verdict() + ": " + line.detail()));
        } catch (ControlException e) {
            health.outOfService().withDetail("failure", "nobody could be asked: " + e.getMessage());
        }
    }
}
