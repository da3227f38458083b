package io.carlos.agent.simulation;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.time.SimulatedProcess;
import io.carlos.model.time.Simulation;
import io.carlos.store.InMemoryObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.assertj.core.api.Assertions;

/**
 * Boxes, operators and readers around one store, all of it from one seed. First everything may go wrong for a while, then
 * nothing does any more, and then every run must have ended.
 */
final class World {
    static final Duration MAX_SKEW = Duration.ofSeconds(10);
    static final String REGION = "r1";

    private static final Duration CALM = Duration.ofMinutes(25);
    private static final int TRACE_LINES = 400;

    private final long seed;
    private final Simulation simulation;
    private final InMemoryObjectStore store;
    private final Ledger ledger;
    private final Variant variant;
    private final Deque<String> trace = new ArrayDeque<>();
    private final SimulatedProcess network;
    private final Instant awayFrom;
    private final Instant awayUntil;
    private final double crashChance;
    private final Trouble trouble;
    private final Map<SimulatedProcess, Duration> awayLonger = new HashMap<>();
    private Faults faults;
    private boolean calm;

    World(long seed, Variant variant) {
        this(seed, variant, Trouble.ALL);
    }

    World(long seed, Variant variant, Trouble trouble) {
        this.seed = seed;
        this.trouble = trouble;
        this.variant = variant;
        this.simulation = new Simulation(seed);
        this.store = new InMemoryObjectStore(simulation::trueTime);
        this.ledger = new Ledger(this);
        this.network = simulation.process("network", Duration.ZERO);
        this.faults = Faults.draw(random());
        boolean all = trouble == Trouble.ALL;
        Duration before = all ? trouble.length() : Duration.ofMinutes(2);
        this.awayFrom = simulation.trueTime().plusMillis(random().nextLong(before.toMillis()));
        this.awayUntil = awayFrom.plus(all ? faults.outage() : Duration.ofSeconds(240 + random().nextInt(480)));
        this.crashChance = !all || random().nextInt(3) == 0 ? 0 : 0.02 * random().nextDouble();
    }

    /**
     * Plays the whole seed.
     *
     * @throws AssertionError a promise was broken; the message has the last events and how to play it again
     */
    void play() {
        int hosts = 1 + random().nextInt(3);
        List<RecordRef> refs = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            refs.add(createRecord("h" + i + ".example.com"));
        }
        int boxes = trouble == Trouble.LONG_OUTAGE ? 2 : 1 + random().nextInt(2);
        for (int i = 0; i < boxes; i++) {
            new SimulatedBox(this, "box-" + i).live();
        }
        int runs = 1 + random().nextInt(4);
        for (int i = 0; i < runs; i++) {
            new SimulatedOperator(this, "operator-" + i, refs.get(random().nextInt(hosts))).live();
        }
        simulation.setInvariants(this::throwIfBroken);
        try {
            simulation.run(trouble.length());
            calm = true;
            faults = Faults.none();
            simulation.run(CALM);
            ledger.checkEnds();
            throwIfBroken();
        } catch (AssertionError e) {
            throw new AssertionError(
                    "seed " + seed + " (" + variant + ", " + trouble + "): " + e.getMessage()
                            + "\nreplay: ./mvnw -pl agent-service -am test"
                            + " -Dtest=RunsSimulationTest -Dsurefire.failIfNoSpecifiedTests=false -Dcarlos.simulation.seed="
                            + seed + " -Dcarlos.simulation.trouble=" + trouble + "\n" + String.join("\n", trace),
                    e);
        } finally {
            simulation.close();
        }
    }

    private void throwIfBroken() {
        ledger.broken().ifPresent(Assertions::fail);
    }

    private RecordRef createRecord(String host) {
        RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of(host));
        InstanceRecord record = InstanceRecord.created(
                ref, "s", REGION, "stable", List.of(), simulation.trueTime(), Isolation.PROCESS, 536870912, Map.of());
        new RecordStore(store, network, random()).create(record);
        return ref;
    }

    SimulatedProcess process(String name) {
        return process(name, Duration.ZERO);
    }

    /** @param lag beside the skew that the seed draws */
    SimulatedProcess process(String name, Duration lag) {
        long skew = random().nextLong(MAX_SKEW.toMillis() + 1) - MAX_SKEW.toMillis() / 2;
        SimulatedProcess process = simulation.process(name, lag.plusMillis(skew));
        if (trouble == Trouble.LONG_OUTAGE && name.startsWith("box-0")) {
            awayLonger.put(process, Duration.ofSeconds(random().nextInt(60)));
        }
        return process;
    }

    /** Where a process may be killed, in troubled times. */
    void crashPoint(SimulatedProcess process, String where) {
        if (!calm && process != network && random().nextDouble() < crashChance) {
            trace("crash: " + where);
            process.kill();
        }
        simulation.step();
    }

    void pause(Duration duration) {
        simulation.pause(duration);
    }

    boolean isStoreAwayFor(SimulatedProcess process) {
        Instant now = simulation.trueTime();
        return now.isAfter(awayFrom) && now.isBefore(awayUntil.plus(awayLonger.getOrDefault(process, Duration.ZERO)));
    }

    boolean isCalm() {
        return calm;
    }

    Trouble trouble() {
        return trouble;
    }

    /** The fiber that is running, by name. */
    String fiber() {
        return simulation.currentName();
    }

    Random random() {
        return simulation.random();
    }

    /** Where processes draw the tokens of their writes from. */
    RandomGenerator tokens() {
        return variant == Variant.NO_WRITER_TOKEN ? () -> 0 : random();
    }

    Instant trueTime() {
        return simulation.trueTime();
    }

    InMemoryObjectStore stored() {
        return store;
    }

    SimulatedProcess network() {
        return network;
    }

    Faults faults() {
        return faults;
    }

    Ledger ledger() {
        return ledger;
    }

    Variant variant() {
        return variant;
    }

    void trace(String event) {
        if (trace.size() == TRACE_LINES) {
            trace.removeFirst();
        }
        trace.addLast(simulation.trueTime() + " " + event);
    }
}
