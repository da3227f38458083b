package io.carlos.model.records;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
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
 * @param boxEpoch which start of that box's agent claimed it, of those that show themselves to a fleet; null when it was not
 *     claimed by one
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
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long boxEpoch,
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

    /**
     * The record of an instance that is new: in no box, without a run.
     *
     * @param memoryMax bytes
     */
    public static InstanceRecord created(
            RecordRef ref,
            String slug,
            String region,
            String channel,
            List<String> pools,
            Instant createdAt,
            Isolation isolation,
            long memoryMax,
            Map<String, String> env) {
        return new InstanceRecord(
                SCHEMA,
                0,
                "",
                ref.host(),
                slug,
                ref.app(),
                ref.account(),
                region,
                channel,
                pools,
                createdAt,
                null,
                null,
                null,
                isolation,
                memoryMax,
                env,
                null,
                null,
                null,
                Map.of());
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
        return with(version, writer, box, boxEpoch, seed, trashedAt, run);
    }

    /** Owned by a box whichever start of its agent, or by none. */
    public InstanceRecord withBox(@Nullable String label) {
        return withBox(label, null);
    }

    /** Owned by a box since one start of its agent. */
    public InstanceRecord withBox(@Nullable String label, @Nullable Long epoch) {
        return with(version, writer, label, epoch, seed, trashedAt, activeRun);
    }

    public InstanceRecord withSeed(Seed newSeed) {
        return with(version, writer, box, boxEpoch, newSeed, trashedAt, activeRun);
    }

    public InstanceRecord withTrashedAt(Instant instant) {
        return with(version, writer, box, boxEpoch, seed, instant, activeRun);
    }

    /** The same content as the next version, by the write that {@code token} names. */
    InstanceRecord writtenAs(long nextVersion, String token) {
        return with(nextVersion, token, box, boxEpoch, seed, trashedAt, activeRun);
    }

    private InstanceRecord with(
            long newVersion,
            String newWriter,
            @Nullable String newBox,
            @Nullable Long newBoxEpoch,
            @Nullable Seed newSeed,
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
                newBoxEpoch,
                image,
                isolation,
                memoryMax,
                env,
                newSeed,
                newTrashedAt,
                newRun,
                others);
    }
}
