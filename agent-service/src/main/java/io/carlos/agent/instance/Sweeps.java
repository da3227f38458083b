package io.carlos.agent.instance;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends all that runs on the box at once, whoever started it. */
final class Sweeps {
    private static final Logger log = LoggerFactory.getLogger(Sweeps.class);

    private final ControlChannel channel;
    private final InstanceDirectories directories;

    Sweeps(ControlChannel channel, InstanceDirectories directories) {
        this.channel = channel;
        this.directories = directories;
    }

    /** What an earlier agent has left; this one has started nothing. */
    void clear(List<Lane> all) throws IOException, InterruptedException {
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

    /** @return the names of units that the control service has stopped */
    List<String> stopAll(List<Lane> all, String reason) throws IOException, InterruptedException {
        // All are told before any is stopped, so that no start or command takes its end for one of its own.
        all.forEach(lane -> lane.turn().commands().stopping(reason));
        try {
            return stopTold(all, reason);
        } finally {
            all.forEach(lane -> lane.turn().commands().stopped());
        }
    }

    private List<String> stopTold(List<Lane> all, String reason) throws IOException, InterruptedException {
        try {
            return channel.sweep();
        } catch (ControlException e) {
            throw new IOException("instances: not all units on the box are stopped: " + e.getMessage(), e);
        } finally {
            for (Lane lane : all) {
                lane.stopForNow(reason);
            }
        }
    }
}
