package io.carlos.model.records;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.runs.ActiveRun;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is stored about one instance.
 *
 * @param version grows by one with every write, so that no content ever returns and no stale etag ever fits again
 * @param writer the token of the write that made this version, by which a writer whose answer was lost knows it
 * @param box the label of the box that owns the instance; null when no box has claimed it
 * @param memoryMax bytes
 * @param activeRun the newest run, open or done; null when there never was one
 * @param others members that this version of Carlos does not know; they are kept when the record is written again
 */
public record InstanceRecord(
        int schema,
        long version,
        String writer,
        Host host,
        String slug,
        App app,
        Account account,
        String region,
        String channel,
        List<String> pools,
        Instant createdAt,
        @Nullable String box,
        @Nullable String image,
        Isolation isolation,
        long memoryMax,
        Map<String, String> env,
        @Nullable Seed seed,
        @Nullable Instant trashedAt,
        @Nullable ActiveRun activeRun,
        @JsonAnySetter @JsonAnyGetter Map<String, JsonNode> others) {
    public static final int SCHEMA = 1;

    public InstanceRecord {
        pools = List.copyOf(pools);
        env = Map.copyOf(env);
        others = Map.copyOf(others);
    }

    public RecordRef ref() {
        return new RecordRef(account, app, host);
    }

    public Incarnation incarnation() {
        return Incarnation.of(account, app, host, createdAt);
    }

    public boolean isTrashed() {
        return trashedAt != null;
    }

    public Optional<ActiveRun> run() {
        return Optional.ofNullable(activeRun);
    }

    public InstanceRecord withActiveRun(ActiveRun run) {
        return with(version, writer, box, trashedAt, run);
    }

    public InstanceRecord withBox(@Nullable String label) {
        return with(version, writer, label, trashedAt, activeRun);
    }

    public InstanceRecord withTrashedAt(Instant instant) {
        return with(version, writer, box, instant, activeRun);
    }

    /** The same content as the next version, by the write that {@code token} names. */
    InstanceRecord writtenAs(long nextVersion, String token) {
        return with(nextVersion, token, box, trashedAt, activeRun);
    }

    private InstanceRecord with(
            long newVersion,
            String newWriter,
            @Nullable String newBox,
            @Nullable Instant newTrashedAt,
            @Nullable ActiveRun newRun) {
        return new InstanceRecord(
                schema,
                newVersion,
                newWriter,
                host,
                slug,
                app,
                account,
                region,
                channel,
                pools,
                createdAt,
                newBox,
                image,
                isolation,
                memoryMax,
                env,
                seed,
                newTrashedAt,
                newRun,
                others);
    }
}
