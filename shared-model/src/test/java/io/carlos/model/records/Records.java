package io.carlos.model.records;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Records for tests. */
public final class Records {
    public static final Instant CREATED = Instant.parse("2026-01-02T03:04:05Z");

    private Records() {}

    /** A committed record of {@code acme/web}, in region {@code r1}, of no box, with process isolation. */
    public static InstanceRecord of(String host) {
        RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of(host));
        return InstanceRecord.created(
                        ref, "slug", "r1", "stable", List.of(), CREATED, Isolation.PROCESS, 536870912, Map.of())
                .writtenAs(1, "w");
    }

    public static InstanceRecord withSeed(InstanceRecord r, Seed seed) {
        return with(r, r.region(), r.pools(), r.createdAt(), r.isolation(), r.memoryMax(), r.env(), seed);
    }

    public static InstanceRecord createdAt(InstanceRecord r, Instant instant) {
        return with(r, r.region(), r.pools(), instant, r.isolation(), r.memoryMax(), r.env(), r.seed());
    }

    public static InstanceRecord withIsolation(InstanceRecord r, Isolation isolation) {
        return with(r, r.region(), r.pools(), r.createdAt(), isolation, r.memoryMax(), r.env(), r.seed());
    }

    public static InstanceRecord inScope(InstanceRecord r, String region, String... pools) {
        return with(r, region, List.of(pools), r.createdAt(), r.isolation(), r.memoryMax(), r.env(), r.seed());
    }

    /** @param memoryMax bytes */
    public static InstanceRecord withMemory(InstanceRecord r, long memoryMax) {
        return with(r, r.region(), r.pools(), r.createdAt(), r.isolation(), memoryMax, r.env(), r.seed());
    }

    public static InstanceRecord withEnvironment(InstanceRecord r, Map<String, String> env) {
        return with(r, r.region(), r.pools(), r.createdAt(), r.isolation(), r.memoryMax(), env, r.seed());
    }

    /** As another write has left it. */
    public static InstanceRecord nextVersion(InstanceRecord r) {
        return r.writtenAs(r.version() + 1, "w" + (r.version() + 1));
    }

    private static InstanceRecord with(
            InstanceRecord r,
            String region,
            List<String> pools,
            Instant createdAt,
            Isolation isolation,
            long memoryMax,
            Map<String, String> env,
            Seed seed) {
        return new InstanceRecord(
                r.schema(),
                r.version(),
                r.writer(),
                r.host(),
                r.slug(),
                r.app(),
                r.account(),
                region,
                r.channel(),
                pools,
                createdAt,
                r.box(),
                r.boxEpoch(),
                r.image(),
                isolation,
                memoryMax,
                env,
                seed,
                r.trashedAt(),
                r.activeRun(),
                r.others());
    }
}
