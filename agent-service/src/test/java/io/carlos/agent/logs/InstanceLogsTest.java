package io.carlos.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.time.SystemScheduler;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class InstanceLogsTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Host A = Host.of("a.example.com");
    private static final Host B = Host.of("b.example.com");

    /** So little that a host which prints at once what one write can hold waits for an hour. */
    private static final LogLimits TIGHT = new LogLimits(100, 10, Duration.ofSeconds(1), 1_000, 1_000_000);

    @TempDir
    private Path root;

    private BoxPaths paths;
    private final Queue<String> journal = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void makeDirectories() throws IOException {
        paths = BoxPaths.under(root);
        Files.createDirectories(paths.logs());
    }

    private InstanceLogs logs(LogLimits limits) {
        return new InstanceLogs(
                paths,
                user -> true,
                (host, role, text) -> journal.add(host + " " + role + " " + text),
                limits,
                new SystemScheduler());
    }

    private SocketChannel connect(Host host, Role role) throws IOException {
        return SocketChannel.open(
                UnixDomainSocketAddress.of(paths.logSocket(InstanceId.of(host), role, OutputChannel.STDOUT)));
    }

    private static void print(SocketChannel unit, String text) throws IOException {
        unit.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Reads until so many lines have come. */
    private static List<String> read(LogReader reader, int count) throws InterruptedException {
        List<String> texts = new ArrayList<>();
        long until = System.nanoTime() + BOUND.toNanos();
        while (texts.size() < count && System.nanoTime() < until) {
            reader.read(Duration.ofMillis(100)).lines().forEach(line -> texts.add(line.text()));
        }
        return texts;
    }

    @Test
    void what_a_unit_prints_is_read_and_in_the_journal() throws Exception {
        InstanceLogs logs = logs(LogLimits.DEFAULT);
        LogIntake intake = logs.open(A, Role.RUN);
        try (SocketChannel unit = connect(A, Role.RUN)) {
            print(unit, "hello\nworld\n");

            assertThat(read(logs.reader(A, Role.RUN, 1).orElseThrow(), 2)).containsExactly("hello", "world");
        }
        intake.finish(BOUND);

        assertThat(journal).containsExactly("a.example.com run hello", "a.example.com run world");
    }

    @Test
    void the_lines_of_two_connections_do_not_run_into_each_other() throws Exception {
        InstanceLogs logs = logs(LogLimits.DEFAULT);
        LogIntake intake = logs.open(A, Role.RUN);
        try (SocketChannel unit = connect(A, Role.RUN);
                SocketChannel exit = connect(A, Role.RUN)) {
            print(unit, "one ");
            print(exit, "two\n");
            assertThat(read(logs.reader(A, Role.RUN, 1).orElseThrow(), 1)).containsExactly("two");
            print(unit, "line");
        }
        intake.finish(BOUND);

        assertThat(read(logs.reader(A, Role.RUN, 2).orElseThrow(), 1)).containsExactly("one line");
    }

    @Test
    void an_intake_has_ended_once_all_that_connected_is_closed() throws Exception {
        LogIntake intake = logs(LogLimits.DEFAULT).open(A, Role.RUN);
        assertThat(intake.hasEnded()).isFalse();
        try (SocketChannel unit = connect(A, Role.RUN)) {
            print(unit, "x\n");
            assertThat(intake.hasEnded()).isFalse();
        }

        long until = System.nanoTime() + BOUND.toNanos();
        while (!intake.hasEnded() && System.nanoTime() < until) {
            Thread.onSpinWait();
        }

        assertThat(intake.hasEnded()).isTrue();
        intake.finish(BOUND);
    }

    @Test
    void the_numbers_go_on_over_a_restart_of_the_unit() throws Exception {
        InstanceLogs logs = logs(LogLimits.DEFAULT);
        for (String text : List.of("first", "second")) {
            LogIntake intake = logs.open(A, Role.RUN);
            try (SocketChannel unit = connect(A, Role.RUN)) {
                print(unit, text);
            }
            intake.finish(BOUND);
        }

        assertThat(logs.reader(A, Role.RUN, 1).orElseThrow().read(Duration.ZERO).lines())
                .extracting(LogLine::seq, LogLine::text)
                .containsExactly(tuple(1L, "first"), tuple(2L, "second"));
    }

    @Test
    void a_host_that_floods_waits_and_another_does_not() throws Exception {
        InstanceLogs logs = logs(TIGHT);
        LogIntake flooded = logs.open(A, Role.RUN);
        LogIntake quiet = logs.open(B, Role.RUN);
        try (SocketChannel flood = connect(A, Role.RUN);
                SocketChannel unit = connect(B, Role.RUN)) {
            flood.configureBlocking(false);
            ByteBuffer lines = ByteBuffer.wrap("0123456789\n".repeat(1_000_000).getBytes(StandardCharsets.UTF_8));
            awaitFull(flood, lines);
            int taken = lines.position();
            print(unit, "x\n");

            assertThat(read(logs.reader(B, Role.RUN, 1).orElseThrow(), 1)).containsExactly("x");
            assertThat(taken).isLessThan(lines.capacity());
            assertThat(flood.write(lines)).isZero();
        }
        flooded.finish(BOUND);
        quiet.finish(BOUND);
    }

    /** Writes until the other end has not read for a while. */
    private static void awaitFull(SocketChannel flood, ByteBuffer lines) throws IOException {
        long lastRoom = System.nanoTime();
        while (lines.hasRemaining()
                && System.nanoTime() - lastRoom < Duration.ofMillis(500).toNanos()) {
            if (flood.write(lines) > 0) {
                lastRoom = System.nanoTime();
            }
        }
    }

    @Test
    void what_a_flooding_unit_had_printed_when_it_ended_is_taken_at_once() throws Exception {
        InstanceLogs logs = logs(TIGHT);
        LogIntake intake = logs.open(A, Role.RUN);
        try (SocketChannel unit = connect(A, Role.RUN)) {
            print(unit, "0123456789\n".repeat(10_000));
            print(unit, "last\n");
        }

        intake.finish(BOUND);

        assertThat(journal).hasSize(10_001).endsWith("a.example.com run last");
    }

    @Test
    void a_finished_intake_leaves_no_socket() throws Exception {
        LogIntake intake = logs(LogLimits.DEFAULT).open(A, Role.RUN);
        intake.finish(BOUND);

        assertThat(paths.logs()).isEmptyDirectory();
    }

    @Test
    void what_never_started_has_no_reader() {
        assertThat(logs(LogLimits.DEFAULT).reader(A, Role.RUN, 1)).isEmpty();
    }

    @Test
    void the_output_of_a_command_is_not_taken() {
        assertThatThrownBy(() -> logs(LogLimits.DEFAULT).open(A, Role.CMD))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_socket_that_cannot_be_made_is_an_error_that_names_it() throws IOException {
        Files.delete(paths.logs());

        assertThatThrownBy(() -> logs(LogLimits.DEFAULT).open(A, Role.RUN))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a.example.com.run.sock");
    }
}
