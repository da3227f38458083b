package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.runs.RunsWorker;
import io.carlos.agent.service.admin.AgentControl;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.messaging.MessagingException;

/** The service from a queued run to its result, and when it is told to stop or to pause. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunsFlowTest {
    @TempDir
    Path root;

    @Test
    void a_queued_run_is_executed_to_its_result() throws Exception {
        try (RunningService service = new RunningService(root)) {
            RunRequest request = service.queue("a.example.com", "sh", "-c", "echo $CARLOS_HOST; exit 3");
            StringBuilder output = new StringBuilder();

            RunResult result = service.follow(request, (seq, channel, bytes) -> output.append(new String(bytes)));

            assertThat(result.exit()).isEqualTo(3);
            assertThat(result.box()).isEqualTo("local");
            assertThat(result.detail()).isEqualTo("no isolation");
            assertThat(output.toString()).isEqualTo("a.example.com\n");
        }
    }

    @Test
    void a_handling_that_hangs_on_one_host_delays_no_other_and_no_later_pass() throws Exception {
        try (RunningService service = new RunningService(root, Trouble.class)) {
            Trouble trouble = service.bean(Trouble.class);
            CountDownLatch hanging = new CountDownLatch(1);
            trouble.on("a.example.com", record -> {
                hanging.countDown();
                await(trouble.over);
            });
            RunRequest hung = service.queue("a.example.com", "true");
            await(hanging);

            RunRequest other = service.queue("b.example.com", "true");

            assertThat(service.follow(other).exit()).isZero();
            assertThat(service.record(hung).activeRun().state()).isEqualTo(State.QUEUED);
            trouble.over.countDown();
        }
    }

    @Test
    void a_handling_that_hangs_is_not_started_again_by_later_passes_and_gets_their_newest_when_it_ends()
            throws Exception {
        try (RunningService service = new RunningService(root, Trouble.class)) {
            Trouble trouble = service.bean(Trouble.class);
            AtomicInteger started = new AtomicInteger();
            CountDownLatch hanging = new CountDownLatch(1);
            trouble.on("a.example.com", record -> {
                started.incrementAndGet();
                hanging.countDown();
                await(trouble.over);
            });
            RunRequest hung = service.queue("a.example.com", "true");
            await(hanging);

            // Each of these takes a pass at least, which hands on the open run of the other host too.
            for (int i = 0; i < 3; i++) {
                service.follow(service.queue("b" + i + ".example.com", "true"));
            }
            assertThat(started).hasValue(1);
            trouble.over.countDown();

            assertThat(service.follow(hung).exit()).isZero();
        }
    }

    @Test
    void a_handling_that_throws_reaches_the_error_channel_and_later_records_go_on() throws Exception {
        assertReported(new IllegalStateException("a defect"));
    }

    @Test
    void a_handling_that_ends_by_an_error_of_the_machine_reaches_the_error_channel_too() throws Exception {
        assertReported(new StackOverflowError());
    }

    private void assertReported(Throwable defect) throws Exception {
        try (RunningService service = new RunningService(root, Trouble.class)) {
            Trouble trouble = service.bean(Trouble.class);
            trouble.on("a.example.com", record -> RunsFlowTest.<RuntimeException>sneak(defect));
            service.queue("a.example.com", "true");

            Throwable failure = trouble.failures.poll(30, TimeUnit.SECONDS);

            assertThat(failure).isNotNull();
            assertThat(failure instanceof MessagingException ? failure.getCause() : failure)
                    .isSameAs(defect);
            assertThat(service.bean(RunsErrors.class).count()).isPositive();
            assertThat(service.follow(service.queue("b.example.com", "true")).exit())
                    .isZero();
        }
    }

    @Test
    void a_run_that_executes_at_the_shutdown_is_closed_as_interrupted_and_its_record_released() throws Exception {
        try (RunningService service = new RunningService(root);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            RunRequest request = service.queue("a.example.com", "sh", "-c", "echo up; exec sleep 1000");
            CountDownLatch up = new CountDownLatch(1);
            CompletableFuture<RunResult> result = new CompletableFuture<>();
            threads.execute(() -> {
                try {
                    result.complete(service.follow(request, (seq, channel, bytes) -> up.countDown()));
                } catch (Exception e) {
                    result.completeExceptionally(e);
                }
            });
            await(up);

            service.shutDown();

            InstanceRecord record = service.record(request);
            assertThat(record.activeRun().state()).isEqualTo(State.DONE);
            assertThat(record.box()).isNull();
            assertThat(result.get(30, TimeUnit.SECONDS).interrupted()).isEqualTo(RunsWorker.AGENT_STOPPED);
        }
    }

    @Test
    void a_draining_agent_picks_nothing_until_it_is_resumed() throws Exception {
        try (RunningService service = new RunningService(root, Trouble.class)) {
            Trouble trouble = service.bean(Trouble.class);
            AgentControl control = service.bean(AgentControl.class);
            CountDownLatch acted = new CountDownLatch(1);
            trouble.after("a.example.com", record -> acted.countDown());
            control.drain();
            RunRequest request = service.queue("a.example.com", "true");
            await(acted);
            assertThat(service.record(request).activeRun().state()).isEqualTo(State.QUEUED);
            assertThat(control.executing()).isEmpty();

            control.resume();

            assertThat(service.follow(request).exit()).isZero();
        }
    }

    @Test
    void a_second_agent_on_the_same_box_does_not_start() {
        try (RunningService _ = new RunningService(root)) {
            assertThatThrownBy(() -> new RunningService(root).close())
                    .rootCause()
                    .hasMessageContaining("boxes/local: an agent is at work on it");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** Does something before or after the worker acts on a host's record. */
    @Configuration(proxyBeanMethods = false)
    static class Trouble {
        final CountDownLatch over = new CountDownLatch(1);
        final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        private final Map<Host, Consumer<InstanceRecord>> before = new ConcurrentHashMap<>();
        private final Map<Host, Consumer<InstanceRecord>> after = new ConcurrentHashMap<>();

        void on(String host, Consumer<InstanceRecord> trouble) {
            before.put(Host.of(host), trouble);
        }

        void after(String host, Consumer<InstanceRecord> told) {
            after.put(Host.of(host), told);
        }

        @Bean
        @Primary
        NotedRunHandler troubledHandler(RunsWorker worker) {
            return record -> {
                before.getOrDefault(record.host(), seen -> {}).accept(record);
                worker.act(record);
                after.getOrDefault(record.host(), seen -> {}).accept(record);
            };
        }

        @Bean
        @Primary
        RunsErrors recordedErrors() {
            return new RunsErrors() {
                @Override
                void take(Throwable failure) {
                    super.take(failure);
                    failures.add(failure);
                }
            };
        }
    }
}
