package io.carlos.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proves that a store keeps its contract before anything depends on it. Many servers accept a conditional write and ignore the
 * condition, or keep it only while nobody else writes; two boxes would then both win, and nobody would be told.
 *
 * <p>It writes some twenty small objects under {@code preflight/} and a random name, and removes them in the end. It takes a few
 * hundred calls. Every check runs, whatever the others found.
 */
public final class StorePreflight {
    private final ObjectStore store;
    private final @Nullable StoreProbe probe;

    /** For a store that has no server: what concerns one is skipped. */
    public StorePreflight(ObjectStore store) {
        this.store = store;
        this.probe = null;
    }

    public StorePreflight(ObjectStore store, StoreProbe probe) {
        this.store = store;
        this.probe = probe;
    }

    /** Tries everything. Never throws a {@link StoreException}: a store that cannot be reached is a finding. */
    public PreflightReport run() {
        try (Scratch scratch = new Scratch(store)) {
            ConditionChecks conditions = new ConditionChecks(store, scratch);
            RaceChecks races = new RaceChecks(store, scratch);
            ListingChecks listings = new ListingChecks(store, probe, scratch);
            ServerChecks server = new ServerChecks(store, probe, scratch);
            List<PreflightReport.Line> lines = new ArrayList<>();
            for (PreflightCheck check : PreflightCheck.values()) {
                Supplier<Finding> look = switch (check) {
                    case CREATE_ONLY -> conditions::createOnlyOnAnExistingKey;
                    case STALE_IF_MATCH -> conditions::staleIfMatch;
                    case CURRENT_IF_MATCH -> conditions::currentIfMatch;
                    case ABSENT_IF_MATCH -> conditions::ifMatchOnAnAbsentKey;
                    case CREATE_RACE -> races::create;
                    case COUNTER_RACE -> races::counter;
                    case ETAGS_AGREE -> listings::etagsAgree;
                    case LISTED_AT_ONCE -> listings::listedAtOnce;
                    case START_AFTER_EXCLUSIVE -> listings::startAfterIsExclusive;
                    case WRONG_SECRET_REFUSED -> server::wrongSecret;
                    case CLOCKS_AGREE -> server::clocks;
                };
                Finding finding = found(look);
                lines.add(new PreflightReport.Line(check, finding.verdict(), finding.detail()));
            }
            return new PreflightReport(lines);
        }
    }

    private static Finding found(Supplier<Finding> look) {
        try {
            return look.get();
        } catch (CasConflictException e) {
            return Finding.refused("a conflict where nobody else had written: " + e.getMessage());
        } catch (StoreUnavailableException | AmbiguousWriteException e) {
            return Finding.unknown(String.valueOf(e.getMessage()));
        }
    }
}
