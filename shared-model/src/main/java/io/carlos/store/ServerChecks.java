package io.carlos.store;

import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a server must do besides storing. */
final class ServerChecks {
    private static final Duration NOTABLE_SKEW = Duration.ofSeconds(5);
    private static final Duration FATAL_SKEW = Duration.ofSeconds(20);

    private final ObjectStore store;
    private final @Nullable StoreProbe probe;
    private final Scratch scratch;

    ServerChecks(ObjectStore store, @Nullable StoreProbe probe, Scratch scratch) {
        this.store = store;
        this.probe = probe;
        this.scratch = scratch;
    }

    Finding wrongSecret() {
        if (probe == null) {
            return Finding.skipped("this store knows no secret");
        }
        ObjectKey key = scratch.key("secret");
        byte[] value = Scratch.value();
        store.put(key, value, Precondition.NONE);
        ObjectStore impostor = probe.withWrongSecret();
        if (served(() -> impostor.get(key))) {
            return Finding.refused("a read was served");
        }
        if (served(() -> impostor.list(key.value(), "", 1))) {
            return Finding.refused("a listing was served");
        }
        boolean written = served(() -> impostor.put(key, Scratch.value(), Precondition.NONE));
        boolean same =
                store.get(key).filter(now -> Arrays.equals(now.value(), value)).isPresent();
        return written || !same ? Finding.refused("a write was served") : Finding.PASSED;
    }

    private static boolean served(Runnable call) {
        try {
            call.run();
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    Finding clocks() {
        if (probe == null) {
            return Finding.skipped("this store has no clock of its own");
        }
        Duration lead = probe.clockLead();
        Duration skew = lead.abs();
        String detail = "the server's clock is " + skew.toMillis() / 1000.0 + " s "
                + (lead.isNegative() ? "behind" : "ahead of") + " this machine's";
        if (skew.compareTo(FATAL_SKEW) > 0) {
            return Finding.refused(detail + ", at most 20 s are borne; set the clock that is wrong");
        }
        return skew.compareTo(NOTABLE_SKEW) > 0 ? Finding.warned(detail) : Finding.PASSED;
    }
}
