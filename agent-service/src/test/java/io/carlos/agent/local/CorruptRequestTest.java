package io.carlos.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.AgentSettings;
import io.carlos.agent.local.LocalAgent.Claims;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.Precondition;
import io.carlos.store.directory.DirectoryObjectStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real agent over a directory store in which somebody has spoiled a file. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CorruptRequestTest {
    @TempDir
    Path directory;

    @Test
    void a_run_whose_request_is_cut_short_is_refused_at_once_and_its_command_not_executed() throws Exception {
        SystemScheduler scheduler = new SystemScheduler();
        SecureRandom random = new SecureRandom();
        Path root = directory.resolve("store");
        Path trace = directory.resolve("executed");
        RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of("a.example.com"));
        RunOrder order =
                new RunOrder(ref, List.of("touch", trace.toString()), Duration.ofMinutes(5), "test", List.of());
        try (DirectoryObjectStore store = DirectoryObjectStore.open(root)) {
            RecordStore records = new RecordStore(store, scheduler, random);
            new LocalRecords(store, records).ensure(ref, null, scheduler.now());
            RunRequest request = ((SubmitOutcome.Queued)
                            new RunSubmitter(store, records, scheduler, random).submit(order, file -> {}))
                    .request();
            store.put(
                    request.keys().request(),
                    "{\"schema\":1,\"id\":".getBytes(StandardCharsets.UTF_8),
                    Precondition.NONE);
            LocalAgent agent = new LocalAgent(
                    new LocalBoxes(root).takeFree(), store, Claims.ALL, AgentSettings.DEFAULTS, scheduler, random);
            agent.start();
            FollowEnd end = new RunFollower(store, records, scheduler, Duration.ofMillis(50))
                    .follow(ref, request.id(), 1, (seq, channel, bytes) -> {});
            agent.stop();

            assertThat(end).isInstanceOfSatisfying(FollowEnd.Ended.class, ended -> {
                assertThat(ended.result().refused()).isEqualTo("request");
                assertThat(ended.result().detail()).startsWith("its request cannot be read: run request: ");
                assertThat(ended.result().started()).isNull();
            });
            assertThat(trace).doesNotExist();
            assertThat(records.read(ref).orElseThrow().record().run())
                    .hasValueSatisfying(run -> assertThat(run.isOpen()).isFalse());
        }
    }
}
