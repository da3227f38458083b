package io.carlos.agent.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.logs.InstanceLogs;
import io.carlos.agent.logs.LogLimits;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.Records;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.SystemScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The instances of a box with real directories and sockets, over units that are played. */
final class InstanceWorld {
    static final Host A = Host.of("a.example.com");
    static final InstanceId ID = InstanceId.of(A);
    static final Duration BOUND = Duration.ofSeconds(30);

    final BoxPaths paths;
    final RecordingControlChannel channel;
    final Queue<RecordRef> commits = new ConcurrentLinkedQueue<>();
    final InstanceLogs logs;
    private final Duration filesInterval;
    private final Scheduler scheduler;
    InstanceTable table;
    Instances instances;

    InstanceWorld(Path root) throws IOException {
        this(root, Duration.ofMillis(5), new SystemScheduler());
    }

    InstanceWorld(Path root, Duration filesInterval, Scheduler scheduler) throws IOException {
        this.filesInterval = filesInterval;
        this.scheduler = scheduler;
        this.paths = BoxPaths.under(root);
        this.channel = new RecordingControlChannel(paths);
        this.logs = new InstanceLogs(paths, user -> true, (host, role, text) -> {}, LogLimits.DEFAULT, scheduler);
        Files.createDirectories(paths.logs());
        for (Path base : List.of(paths.data(), paths.run())) {
            Files.createDirectories(base.resolve(".instances"));
            // In the place of the mount.
            Files.createSymbolicLink(base.resolve("instances"), base.resolve(".instances"));
        }
        open();
    }

    private void open() throws IOException {
        table = InstanceTable.open(paths.data());
        InstanceSettings settings = new InstanceSettings(
                Duration.ofSeconds(2),
                Duration.ofMillis(5),
                Duration.ofMillis(5),
                filesInterval,
                Duration.ofMillis(20),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                Duration.ofSeconds(4),
                2,
                2);
        instances = new Instances(
                channel, table, logs, (record, incarnation) -> commits.add(record), paths, settings, scheduler);
    }

    /** The agent ends and starts again; the units go on. */
    void restartAgent() throws Exception {
        close();
        open();
    }

    /** From now on no row can be written. */
    void breakTable() throws IOException {
        Path rows = paths.data().resolve(".agent/instances");
        try (Stream<Path> files = Files.list(rows)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(rows);
    }

    /** The record of a host with units, of this box. */
    static InstanceRecord record(String host) {
        return Records.withIsolation(Records.of(host).withBox("me"), Isolation.UNIT);
    }

    /** Has these records for the box's own, in a pass that read all. */
    void pass(InstanceRecord... owned) {
        instances.owned(List.of(owned), Set.of());
    }

    /** The rows of these records, of instances that are stopped, before anything is started. */
    void rows(InstanceRecord... records) {
        Arrays.stream(records).forEach(record -> table.note(InstanceRow.created(record, record.createdAt())));
    }

    /** Puts a row for A and lets instances be started, without starting it. */
    void stoppedA(InstanceRecord record) {
        table.note(InstanceRow.created(record, record.createdAt()).withDesired(Desired.STOPPED));
        instances.begin();
    }

    void runningA() throws Exception {
        stoppedA(record("a.example.com"));
        assertThat(startA()).isInstanceOf(OperationOutcome.Done.class);
    }

    OperationOutcome startA() throws Exception {
        return instances.start(A).get(BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    OperationOutcome stopA() throws Exception {
        return instances.stop(A, "an operator stopped it").get(BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    InstanceRow rowA() {
        return table.row(A).orElseThrow();
    }

    void awaitState(InstanceState state) {
        await(() -> isAt(A, state), "state " + state);
    }

    boolean isAt(Host host, InstanceState state) {
        return table.row(host).filter(row -> row.state() == state).isPresent();
    }

    /** Waits until nothing is being done that could still change anything. */
    void awaitQuiet() {
        await(() -> instances.underWay().isEmpty(), "quiet");
    }

    void await(BooleanSupplier condition, String what) {
        long until = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("waiting for: %s; rows %s; calls %s", what, table.rows(), channel.calls())
                    .isLessThan(until);
            Thread.onSpinWait();
        }
    }

    Path data(String name) {
        return paths.instanceData(ID).resolve(name);
    }

    Path run(String name) {
        return paths.instanceRun(ID).resolve(name);
    }

    /** No unit, no listener and no file that a start or its end made. */
    void assertNothingLeft() throws IOException {
        assertThat(channel.running()).isEmpty();
        assertThat(paths.logs()).isEmptyDirectory();
        for (Path directory : List.of(paths.instanceData(ID), paths.instanceRun(ID))) {
            if (Files.isDirectory(directory)) {
                try (Stream<Path> files = Files.list(directory)) {
                    assertThat(files.map(file -> file.getFileName().toString()))
                            .noneMatch(name -> name.contains(".json"));
                }
            }
        }
    }

    void close() throws Exception {
        instances.close();
        table.close();
    }
}
