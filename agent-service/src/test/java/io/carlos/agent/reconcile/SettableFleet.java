package io.carlos.agent.reconcile;

import io.carlos.agent.fleet.Fleet;
import java.util.HashSet;
import java.util.Set;

/** A fleet as the test says. */
final class SettableFleet implements Fleet {
    private final Set<String> lost = new HashSet<>();
    private final Set<String> anew = new HashSet<>();
    private boolean fresh = true;

    void lose(String box) {
        lost.add(box);
    }

    /** Its heartbeat is another one by now, though no look has shown that yet. */
    void beginsAnew(String box) {
        anew.add(box);
    }

    void goStale() {
        fresh = false;
    }

    @Override
    public boolean mayWrite() {
        return fresh;
    }

    @Override
    public boolean isStillLost(String box) {
        return lost.contains(box) && !anew.contains(box);
    }

    @Override
    public boolean isLost(String box) {
        return lost.contains(box);
    }
}
