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
    /** How far a clock is from the true time. */
    static final Duration MAX_SKEW = Duration.ofSeconds(5);
    /** How far it is after somebody has set it. */
    static final Duration MAX_JUMP = Duration.ofSeconds(30);

    static final String REGION = "r1";

    static final String OTHER_REGION = "r2";

    /** In which every run must end: a freeze of twenty minutes, or a lease that a dead box left, is over by then. */
    private static final Duration CALM = Duration.ofMinutes(30);

    private static final Duration CALM_SLICE = Duration.ofMinutes(1);
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
    private final Troubles troubles;
    private final boolean quiet;
    private final boolean fleet;
    private final boolean twoRegions;
    private final int room;
    private final List<SimulatedBox> boxes = new ArrayList<>();
    private final Map<SimulatedProcess, Duration> awayLonger = new HashMap<>();
    private Faults faults;
    private SimulatedVisitor visitor;
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
        boolean all = trouble == Trouble.ALL;
        this.quiet = all && random().nextInt(4) == 0;
        // By the seed's number: what other seeds draw stays as it is.
        this.fleet = all && !quiet && seed % 4 == 2;
        this.faults = quiet ? Faults.none() : Faults.draw(random());
        this.troubles = all && !quiet ? Troubles.draw(random()) : Troubles.NONE;
        this.twoRegions = all && !quiet && seed % 7 == 3 && !troubles.boxGone();
        Duration before = all ? trouble.length() : Duration.ofMinutes(2);
        this.awayFrom = simulation.trueTime().plusMillis(random().nextLong(before.toMillis()));
        this.awayUntil = awayFrom.plus(all ? faults.outage() : Duration.ofSeconds(300 + random().nextInt(720)));
        this.room = !quiet && random().nextInt(3) == 0 ? 1 : 64;
        this.crashChance = troubles.crashes() ? 0.02 * random().nextDouble() : 0;
    }

    /**
     * Plays the whole seed.
     *
     * @throws AssertionError a promise was broken; the message has the last events and how to play it again
     */
    void play() {
        List<RecordRef> refs = new ArrayList<>();
        int hosts = 1 + random().nextInt(3);
        for (int i = 0; i < hosts; i++) {
            Account account = Account.of(random().nextBoolean() ? "acme" : "other");
            refs.add(new RecordRef(account, App.of("web"), Host.of("h" + i + ".example.com")));
            createRecord(refs.getLast());
        }
        int count = trouble == Trouble.LONG_OUTAGE || troubles.boxGone() ? 2 : 1 + random().nextInt(2);
        count = fleet || twoRegions ? 2 : count;
        for (int i = 0; i < count; i++) {
            String region = twoRegions && i == 1 ? OTHER_REGION : REGION;
            boxes.add(new SimulatedBox(this, "box-" + i, region, troubles.boxGone() && i == 0));
        }
        boxes.forEach(SimulatedBox::live);
        new SimulatedKeeper(this, refs, boxes).live();
        visitor = new SimulatedVisitor(this, refs, boxes);
        new SimulatedNature(this, boxes).live();
        askForRuns(refs);
        simulation.setInvariants(this::throwIfBroken);
        try {
            simulation.run(trouble.length());
            calm = true;
            faults = Faults.none();
            playCalm();
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

    private void askForRuns(List<RecordRef> refs) {
        RecordRef ref = null;
        Duration at = null;
        int runs = 1 + random().nextInt(4);
        for (int i = 0; i < runs; i++) {
            boolean besideTheLast = ref != null && random().nextInt(3) == 0;
            ref = besideTheLast ? ref : refs.get(random().nextInt(refs.size()));
            at = besideTheLast ? at : Duration.ofMillis(random().nextInt(90_000));
            new SimulatedOperator(this, "operator-" + i, ref, at).live();
        }
    }

    /** Until every run has ended and whoever missed that has seen it, or for as long as that may take. */
    private void playCalm() {
        Duration played = Duration.ZERO;
        boolean ended = false;
        while (!ended && played.compareTo(CALM) < 0) {
            ended = ledger.allEnded() && boxes.stream().noneMatch(SimulatedBox::isFrozen);
            simulation.run(CALM_SLICE);
            played = played.plus(CALM_SLICE);
        }
    }

    private void throwIfBroken() {
        ledger.broken().ifPresent(Assertions::fail);
    }

    void createRecord(RecordRef ref) {
        InstanceRecord record = InstanceRecord.created(
                ref,
                "s",
                region(ref),
                "stable",
                List.of(),
                simulation.trueTime(),
                Isolation.PROCESS,
                536870912,
                Map.of());
        new RecordStore(store, network, random()).create(record);
    }

    /** Where an instance is: every second one elsewhere, in seeds with two regions. */
    String region(RecordRef ref) {
        return twoRegions && ref.host().value().startsWith("h1") ? OTHER_REGION : REGION;
    }

    String regionOf(String box) {
        return box(box).region();
    }

    boolean isAgentOf(SimulatedProcess process, String box) {
        return box != null && box(box).process().filter(process::equals).isPresent();
    }

    private SimulatedBox box(String name) {
        return boxes.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Whether boxes show themselves to each other, and take over from those that are lost. */
    boolean isFleet() {
        return fleet;
    }

    SimulatedProcess process(String name) {
        SimulatedProcess process = simulation.process(name, within(MAX_SKEW));
        if (trouble == Trouble.LONG_OUTAGE && name.startsWith("box-0")) {
            awayLonger.put(process, Duration.ofSeconds(random().nextInt(120)));
        }
        return process;
    }

    /** Some time either way. */
    Duration within(Duration most) {
        return Duration.ofMillis(random().nextLong(2 * most.toMillis() + 1)).minus(most);
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

    /** How many runs a box may execute at once, and stage at once. */
    int room() {
        return room;
    }

    /** Whether nothing at all goes wrong in this seed, so that everything must also be quick. */
    boolean isQuiet() {
        return quiet;
    }

    Troubles troubles() {
        return troubles;
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

    SimulatedVisitor visitor() {
        return visitor;
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
