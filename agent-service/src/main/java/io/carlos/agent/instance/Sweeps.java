package io.carlos.agent.instance;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends all that runs on the box at once, whoever started it. The control service lists units first and stops them one after the
 * other, so one that is started meanwhile might be stopped for an earlier start of its name. Hence nothing is started on the box until
 * a sweep was answered, of hosts that the box did not have when it began neither.
 */
final class Sweeps {
    private static final Logger log = LoggerFactory.getLogger(Sweeps.class);

    private final ControlChannel channel;
    private final InstanceDirectories directories;
    private final Tasks tasks;
    private final Duration pause;
    private final Scheduler scheduler;
    private final Set<Round> rounds = new HashSet<>();

    /** @param pause between two sweeps, while there is no answer to them */
    Sweeps(ControlChannel channel, InstanceDirectories directories, Tasks tasks, Duration pause, Scheduler scheduler) {
        this.channel = channel;
        this.directories = directories;
        this.tasks = tasks;
        this.pause = pause;
        this.scheduler = scheduler;
    }

    /** What an earlier agent has left; this one has started nothing. */
    void clear(Collection<Lane> all) throws IOException, InterruptedException {
        try {
            List<String> stopped = channel.sweep();
            log.info("boot: swept: units={}", stopped);
        } catch (ControlException e) {
            throw new IOException("boot: the units of an earlier start are not stopped: " + e.getMessage(), e);
        }
        directories.removeLogSockets();
        for (Lane lane : all) {
            lane.swept();
        }
    }

    /** To be called for a lane each time that somebody gets it, so that none is new to a sweep. */
    void meet(Lane lane) {
        synchronized (rounds) {
            rounds.forEach(round -> round.tell(lane));
        }
    }

    /**
     * @param all asked for when new lanes are met
     * @param wake for lanes whose instances came to this box while nothing could be started
     * @return the names of units that the control service has stopped
     */
    List<String> stopAll(Supplier<Collection<Lane>> all, String reason, Consumer<Lane> wake)
            throws IOException, InterruptedException {
        Round round = new Round(reason, wake);
        synchronized (rounds) {
            rounds.add(round);
        }
        boolean over = false;
        try {
            // All are told before any is stopped, so that no start or command takes its end for one of its own.
            all.get().forEach(this::meet);
            List<String> stopped = channel.sweep();
            over = true;
            return stopped;
        } catch (ControlException e) {
            over = isAnswer(e) || e.outcome() == ControlException.Outcome.NOTHING_RUNS;
            throw new IOException(
                    "instances: not all units on the box are stopped: " + e.getMessage()
                            + (over ? "" : "; nothing is started until a sweep is answered"),
                    e);
        } finally {
            try {
                stopOneByOne(round);
            } finally {
                if (over) {
                    end(round);
                } else {
                    tasks.fork("finish sweep", () -> endWhenSwept(round));
                }
            }
        }
    }

    private void stopOneByOne(Round round) throws IOException, InterruptedException {
        List<Lane> told;
        synchronized (rounds) {
            told = List.copyOf(round.told.keySet());
        }
        for (Lane lane : told) {
            if (lane.row().any().isPresent()) {
                lane.stopForNow(round.reason);
            }
        }
    }

    /** The service goes on with a sweep whose caller has gone, and answers the next one only after it. */
    private void endWhenSwept(Round round) throws InterruptedException {
        boolean answered = false;
        while (!answered) {
            try {
                channel.sweep();
                answered = true;
            } catch (ControlException e) {
                log.warn("instances: sweep: {}", e.getMessage());
                answered = isAnswer(e);
            }
            if (!answered) {
                scheduler.sleep(pause);
            }
        }
        end(round);
    }

    private static boolean isAnswer(ControlException e) {
        return e.getCause() == null || e.getCause() instanceof InvalidDocumentException;
    }

    private void end(Round round) {
        synchronized (rounds) {
            rounds.remove(round);
            round.told.keySet().forEach(lane -> lane.turn().commands().stopped());
        }
        round.told.forEach((lane, wasHere) -> {
            if (!wasHere) {
                round.wake.accept(lane);
            }
        });
    }

    /** One sweep and whom it was told to, guarded by the set of all. */
    private static final class Round {
        private final String reason;
        private final Consumer<Lane> wake;

        /** Whether the box had an instance of the host when it was told. */
        private final Map<Lane, Boolean> told = new HashMap<>();

        Round(String reason, Consumer<Lane> wake) {
            this.reason = reason;
            this.wake = wake;
        }

        void tell(Lane lane) {
            boolean isHere = lane.row().find().isPresent();
            if (told.putIfAbsent(lane, isHere) == null) {
                lane.turn().commands().stopping(reason);
            }
        }
    }
}
