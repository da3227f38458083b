package io.carlos.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Whether the store keeps preconditions when many write at once, which servers fail that pass everything else. */
final class RaceChecks {
    static final int WRITERS = 16;
    private static final int CREATE_ROUNDS = 10;
    private static final int INCREMENTS = 3;
    /** Each conflict of a writer is another's success, so a right store needs far fewer. */
    private static final int TRIES = 4 * WRITERS * INCREMENTS;

    private final ObjectStore store;
    private final Scratch scratch;

    RaceChecks(ObjectStore store, Scratch scratch) {
        this.store = store;
        this.scratch = scratch;
    }

    Finding create() {
        for (int round = 1; round <= CREATE_ROUNDS; round++) {
            ObjectKey key = scratch.key("create-race-" + round);
            List<Creation> creations = race(writer -> create(key));
            Finding finding = oneWinner(creations, scratch.text(key));
            if (finding.verdict() != PreflightVerdict.PASSED) {
                return new Finding(finding.verdict(), "round " + round + ": " + finding.detail());
            }
        }
        return Finding.PASSED;
    }

    private Creation create(ObjectKey key) {
        String value = Scratch.token();
        try {
            store.put(key, value.getBytes(StandardCharsets.US_ASCII), Precondition.CREATE_ONLY);
            return new Creation(value, Outcome.WON);
        } catch (CasConflictException e) {
            return new Creation(value, Outcome.LOST);
        } catch (AmbiguousWriteException e) {
            return new Creation(value, Outcome.UNKNOWN);
        } catch (StoreUnavailableException e) {
            return new Creation(value, Outcome.NOT_TRIED);
        }
    }

    private static Finding oneWinner(List<Creation> creations, Optional<String> stored) {
        List<String> won = values(creations, Outcome.WON);
        List<String> mayHaveWon = won.isEmpty() ? values(creations, Outcome.UNKNOWN) : won;
        if (won.size() > 1) {
            return Finding.refused(won.size() + " of " + WRITERS + " creators were told that they had created the key");
        }
        if (mayHaveWon.isEmpty()) {
            return values(creations, Outcome.NOT_TRIED).isEmpty()
                    ? Finding.refused("every creator was told that another had created the key")
                    : Finding.unknown("no creator won, and some were not served");
        }
        if (stored.isEmpty()) {
            return Finding.refused("a creator was told that it had created the key, which is absent");
        }
        return mayHaveWon.contains(stored.get())
                ? Finding.PASSED
                : Finding.refused("the stored value is not that of the creator that was told that it had won");
    }

    private static List<String> values(List<Creation> creations, Outcome outcome) {
        return creations.stream()
                .filter(creation -> creation.outcome() == outcome)
                .map(Creation::value)
                .toList();
    }

    Finding counter() {
        ObjectKey key = scratch.key("counter");
        store.put(key, Count.first().bytes(), Precondition.CREATE_ONLY);
        List<Tally> tallies = race(writer -> increments(key));
        int acknowledged = tallies.stream().mapToInt(Tally::acknowledged).sum();
        int unknown = tallies.stream().mapToInt(Tally::unknown).sum();
        int counted = store.get(key).map(Count::of).orElseGet(Count::first).number();
        if (counted < acknowledged) {
            return Finding.refused(
                    (acknowledged - counted) + " of " + acknowledged + " acknowledged increments are lost");
        }
        if (counted > acknowledged + unknown) {
            return Finding.refused((counted - acknowledged - unknown) + " increments that were refused are counted");
        }
        int wanted = WRITERS * INCREMENTS;
        return acknowledged + unknown < wanted
                ? Finding.unknown("only " + acknowledged + " of " + wanted + " increments came through")
                : Finding.PASSED;
    }

    private Tally increments(ObjectKey key) {
        int acknowledged = 0;
        int unknown = 0;
        for (int i = 0; i < TRIES && acknowledged + unknown < INCREMENTS; i++) {
            try {
                StoredObject current = store.get(key)
                        .orElseThrow(() -> new StoreUnavailableException(
                                "get " + key + ": absent, though nobody removes it", null));
                store.put(key, Count.of(current).next().bytes(), Precondition.ifMatch(current.etag()));
                acknowledged++;
            } catch (AmbiguousWriteException e) {
                unknown++;
            } catch (CasConflictException | StoreUnavailableException e) {
                // Nothing was counted; the next try reads anew.
            }
        }
        return new Tally(acknowledged, unknown);
    }

    private static <T> List<T> race(IntFunction<T> writer) {
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int number = i;
                running.add(executor.submit(() -> {
                    start.await();
                    return writer.apply(number);
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("preflight: interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a writer of a preflight failed", e.getCause());
        }
    }

    private enum Outcome {
        WON,
        LOST,
        UNKNOWN,
        NOT_TRIED
    }

    private record Creation(String value, Outcome outcome) {}

    private record Tally(int acknowledged, int unknown) {}

    /** The counter's value; the token makes each unlike all others. */
    private record Count(int number, String token) {
        static Count first() {
            return new Count(0, Scratch.token());
        }

        static Count of(StoredObject object) {
            String[] parts = new String(object.value(), StandardCharsets.US_ASCII).split(" ");
            return new Count(Integer.parseInt(parts[0]), parts[1]);
        }

        Count next() {
            return new Count(number + 1, Scratch.token());
        }

        byte[] bytes() {
            return (number + " " + token).getBytes(StandardCharsets.US_ASCII);
        }
    }
}
