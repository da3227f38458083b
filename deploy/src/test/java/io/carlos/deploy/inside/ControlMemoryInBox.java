package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.deploy.inside.ControlClient.Answer;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The control service at its limit of memory, with the programs that it runs. 10,000 verbs over 64 connections: on 60 of them
 * whether the box is ready, which is answered from memory, 2 at a time; on 4 beside them instances are started, asked about,
 * reset and stopped, in processes of systemctl. With more at a time an emulated machine takes longer for a call than the
 * service waits.
 */
@InsideBox
class ControlMemoryInBox {
    private static final Path CGROUP = Path.of("/sys/fs/cgroup/system.slice", ReadyBox.CONTROL_SERVICE);
    private static final long LIMIT = 128 * 1024 * 1024;
    private static final int ASKING = 60;
    private static final int QUESTIONS_EACH = 160;
    private static final int STARTING = 4;
    private static final int ROUNDS = 6;
    private static final int LOOKS = 12;

    /** Each connection's first, and then a start, some looks and a stop a round. */
    private static final int VERBS = ASKING + STARTING + ASKING * QUESTIONS_EACH + STARTING * ROUNDS * (1 + LOOKS + 1);

    /** In turn: a connection that has nothing to do for a minute is closed. */
    private static final Semaphore QUESTIONS = new Semaphore(2, true);

    private static DropIn limit;
    private static ReadyBox box;

    @BeforeAll
    static void limitTheService() throws IOException {
        Lane.requireOwnKernel("a container has no memory controller");
        limit = new DropIn(ReadyBox.CONTROL_SERVICE, "MemoryMax=" + LIMIT + "\n");
        box = new ReadyBox();
    }

    @AfterAll
    static void close() throws IOException {
        if (box != null) {
            box.close();
        }
        if (limit != null) {
            limit.close();
        }
    }

    @Test
    void tenThousandVerbsAreAnsweredBelowTheLimit() throws Exception {
        assertThat(VERBS).isEqualTo(10_000);
        assertThat(read("memory.max")).isEqualTo(Long.toString(LIMIT));
        String service = mainPid();
        List<Tenant> tenants = Tenant.several(STARTING, "memory");
        List<Callable<Integer>> clients = new ArrayList<>(Collections.nCopies(ASKING, ControlMemoryInBox::ask));
        tenants.forEach(tenant -> clients.add(() -> startAndStop(tenant.with(Role.RUN, Tenant.SLOW_TO_END))));

        int verbs = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients.size())) {
            for (Future<Integer> count : threads.invokeAll(clients)) {
                verbs += count.get();
            }
        } finally {
            System.out.println(
                    "measured: " + verbs + " verbs counted over " + clients.size() + " connections: memory.peak "
                            + read("memory.peak") + ", afterwards " + anonymous() + "; "
                            + read("memory.events").replace('\n', ' '));
        }

        assertThat(verbs).isEqualTo(VERBS);
        assertThat(read("memory.events").lines()).contains("oom_kill 0");
        assertThat(mainPid()).isEqualTo(service);
    }

    /** One connection at a time, since systemd is asked who each is. */
    private static synchronized ControlConnection connect() throws IOException {
        ControlConnection connection = new ControlConnection(ControlClient.OF_THE_AGENT.socket());
        assertStatus(204, connection.get("/ready"));
        return connection;
    }

    private static int ask() throws IOException, InterruptedException {
        try (ControlConnection connection = connect()) {
            for (int i = 0; i < QUESTIONS_EACH; i++) {
                QUESTIONS.acquire();
                try {
                    assertStatus(204, connection.get("/ready"));
                } finally {
                    QUESTIONS.release();
                }
            }
        }
        return 1 + QUESTIONS_EACH;
    }

    private static int startAndStop(Tenant tenant) throws IOException {
        int verbs = 1;
        try (ControlConnection connection = connect()) {
            for (int round = 0; round < ROUNDS; round++) {
                tenant.deleteFile("ready");
                Answer started = connection.post(
                        "/start?role=run&host=" + tenant + "&memory_max=" + MemoryTier.MIB_512.maxBytes());
                assertStatus(200, started);
                assertThat(started.text()).contains(tenant.invocation(Role.RUN).value());
                tenant.awaitFile("ready");
                for (int look = 0; look < LOOKS; look++) {
                    assertThat(look % 2 == 0 ? askForCommand(tenant, connection) : reset(tenant, connection))
                            .isTrue();
                }
                assertStatus(204, connection.post("/stop?role=run&host=" + tenant));
                assertThat(tenant.isPopulated(Role.RUN)).isFalse();
                verbs += 1 + LOOKS + 1;
            }
        }
        tenant.forget(Role.RUN);
        return verbs;
    }

    /** There is none. */
    private static boolean askForCommand(Tenant tenant, ControlConnection connection) throws IOException {
        Answer answer = connection.get("/cmd?host=" + tenant + "&wait=0&invocation=" + "0".repeat(32));
        return answer.status() == 200 && answer.text().contains("\"state\":\"gone\"");
    }

    private static boolean reset(Tenant tenant, ControlConnection connection) throws IOException {
        return connection.post("/reset?role=sidecar&host=" + tenant).status() == 204;
    }

    private static void assertStatus(int status, Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    }

    private static String mainPid() {
        return Command.systemctl("show", "--property=MainPID", "--value", ReadyBox.CONTROL_SERVICE)
                .output();
    }

    private static String anonymous() {
        return read("memory.stat")
                .lines()
                .filter(line -> line.startsWith("anon "))
                .findFirst()
                .orElseThrow();
    }

    private static String read(String file) {
        try {
            return Files.readString(CGROUP.resolve(file)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
