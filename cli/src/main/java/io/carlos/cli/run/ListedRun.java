package io.carlos.cli.run;

import io.carlos.cli.store.OpenStore;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.Host;
import io.carlos.model.records.UnreadableRecordException;
import io.carlos.model.runs.RunHistory;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A row of a list of runs. */
sealed interface ListedRun {
    /** The newest first, and what is unreadable after all others. */
    Comparator<ListedRun> ORDER =
            Comparator.comparing(ListedRun::askedFor, Comparator.nullsLast(Comparator.reverseOrder()));

    /** Null when nobody can tell. */
    @Nullable
    Instant askedFor();

    /** Whether it is a run beside that instance; what nobody can tell is none. */
    boolean isOf(Host host);

    /** What a table shows, column by column. */
    Object[] row();

    /** What JSON shows. */
    Object json();

    record Known(RunHistory history) implements ListedRun {
        @Override
        public Instant askedFor() {
            return history.request().requestedAt();
        }

        @Override
        public boolean isOf(Host host) {
            return history.request().host().equals(host);
        }

        @Override
        public Object[] row() {
            return new Object[] {
                history.request().id(),
                history.request().host(),
                RunStory.state(history),
                RunStory.exit(history),
                history.request().requestedAt().truncatedTo(ChronoUnit.SECONDS),
                history.output().bytes(),
                history.request().argv().getFirst()
            };
        }

        @Override
        public Object json() {
            return history;
        }
    }

    /** One of its objects is not what this version of Carlos reads. */
    record Unreadable(RunId id, String why) implements ListedRun {
        @Override
        public @Nullable Instant askedFor() {
            return null;
        }

        @Override
        public boolean isOf(Host host) {
            return false;
        }

        @Override
        public Object[] row() {
            return new Object[] {id, "", "unreadable", "", "", "", ""};
        }

        @Override
        public Object json() {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("run", id.value());
            members.put("unreadable", why);
            return members;
        }
    }

    /** Reads it, or nothing when there is no such run. */
    static Optional<ListedRun> read(OpenStore store, RunKeys keys) {
        try {
            return RunHistory.read(store.objects(), store.records(), keys).map(Known::new);
        } catch (InvalidDocumentException | UnreadableRecordException e) {
            return Optional.of(new Unreadable(keys.id(), String.valueOf(e.getMessage())));
        }
    }
}
