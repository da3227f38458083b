package io.carlos.agent.launch.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.RecordingSink;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.files.StatusFile;
import io.carlos.model.files.StatusFile.Cause;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A launcher on a box with one instance, where a script plays the control service. */
final class UnitWorld {
    static final InstanceRecord RECORD = Records.of("acme.example.com");
    static final Host HOST = RECORD.host();

    private static final Duration DRAIN_BOUND = Duration.ofMillis(500);

    private final UnitBox box;
    private final ScriptedControl control = new ScriptedControl();
    private final OpenGate gate = new OpenGate();
    private final ImpatientScheduler clock = new ImpatientScheduler();
    private final LaunchRequest request;
    private final RecordingSink sink = new RecordingSink();

    UnitWorld(Path root) throws IOException {
        this.box = new UnitBox(root);
        Path data = box.addInstance(HOST);
        RunId id = RunId.random(new SecureRandom());
        this.request = new LaunchRequest(
                id,
                RECORD.ref(),
                RECORD.incarnation(),
                List.of("import", "rows.csv"),
                Map.of("OF_THE_RUN", "yes"),
                data,
                Files.createDirectories(box.paths().runDirectory(InstanceId.of(HOST), id)));
    }

    UnitBox box() {
        return box;
    }

    ScriptedControl control() {
        return control;
    }

    OpenGate gate() {
        return gate;
    }

    /** The launchers'. */
    ImpatientScheduler clock() {
        return clock;
    }

    /** What the command printed. */
    RecordingSink sink() {
        return sink;
    }

    /** Connects as systemd does for a program of the command's unit. */
    SocketChannel connect(OutputChannel channel) throws IOException {
        return SocketChannel.open(
                UnixDomainSocketAddress.of(box.paths().logSocket(InstanceId.of(HOST), Role.CMD, channel)));
    }

    LaunchRequest request() {
        return request;
    }

    UnitLauncher launcher() {
        return launcher(gate);
    }

    UnitLauncher launcher(InstanceGate other) {
        return new UnitLauncher(control, box.paths(), other, clock, peer -> true, DRAIN_BOUND);
    }

    LaunchOutcome launch() throws InterruptedException {
        return launcher().launch(request, sink);
    }

    LaunchedRun start() throws InterruptedException {
        LaunchOutcome outcome = launch();
        assertThat(outcome).isInstanceOf(LaunchOutcome.Started.class);
        return ((LaunchOutcome.Started) outcome).run();
    }

    Path launchFile() {
        return box.paths().instanceData(InstanceId.of(HOST)).resolve(LaunchFile.fileName(Role.CMD));
    }

    Path statusFile() {
        return runFile(StatusFile.fileName(Role.CMD, ScriptedControl.INVOCATION));
    }

    Path runFile(String name) {
        return box.paths().instanceRun(InstanceId.of(HOST)).resolve(name);
    }

    void writeStatus(Cause cause, int status) throws IOException {
        Files.writeString(
                statusFile(), new StatusFile(ScriptedControl.INVOCATION, cause, status, Instant.EPOCH).toJson());
    }

    void assertNothingIsLeft() {
        assertThat(gate.held()).as("held places").isEmpty();
        assertThat(box.paths().logs()).as("listeners").isEmptyDirectory();
        assertThat(launchFile()).doesNotExist();
        assertThat(statusFile()).doesNotExist();
    }
}
