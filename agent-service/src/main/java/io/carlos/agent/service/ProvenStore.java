package io.carlos.agent.service;

import io.carlos.model.time.Scheduler;
import io.carlos.store.PreflightReport;
import io.carlos.store.PreflightVerdict;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until a store could be tried, and refuses one that does not keep its contract. */
final class ProvenStore {
    private static final Logger log = LoggerFactory.getLogger(ProvenStore.class);
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final String name;
    private final Supplier<PreflightReport> preflight;
    private final Scheduler scheduler;

    ProvenStore(String name, Supplier<PreflightReport> preflight, Scheduler scheduler) {
        this.name = name;
        this.preflight = preflight;
        this.scheduler = scheduler;
    }

    /** @throws StoreRefusedException one check of the preflight speaks against the store */
    void await() throws InterruptedException {
        while (true) {
            PreflightReport report = preflight.get();
            report.lines().stream()
                    .filter(line -> line.verdict() == PreflightVerdict.WARNED)
                    .forEach(line -> log.warn("store: {}: {}", name, line));
            if (report.isAccepted()) {
                log.info("store: accepted: {}", name);
                return;
            }
            PreflightReport.Line objection = report.objection().orElseThrow();
            if (objection.verdict() == PreflightVerdict.REFUSED) {
                throw new StoreRefusedException(name, objection);
            }
            log.warn("store: could not be tried, trying again in {}: {}: {}", RETRY, name, objection);
            scheduler.sleep(RETRY);
        }
    }
}
