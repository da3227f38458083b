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
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The control service at its limit of memory, with the programs that it runs. 10,000 verbs over 64 connections: on 56 of them
 * whether the box is ready, which is answered from memory; on 8 instances are started, asked about, reset and stopped, in
 * processes of systemctl. So many of these at a time as the service runs, and few enough for an emulated machine.
 */
@InsideBox
class ControlMemoryInBox {
    private static final Path CGROUP = Path.of("/sys/fs/cgroup/system.slice", ReadyBox.CONTROL_SERVICE);
    private static final long LIMIT = 128 * 1024 * 1024;
    private static final int ASKING = 56;
    private static final int QUESTIONS_EACH = 170;
    private static final int STARTING = 8;
    private static final int ROUNDS = 4;
    private static final int LOOKS = 11;

    /** Each connection's first, and then a start, some looks and a stop a round. */
    private static final int VERBS = ASKING + STARTING + ASKING * QUESTIONS_EACH + STARTING * ROUNDS * (1 + LOOKS + 1);

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
        List<ControlConnection> connections = connect();

        List<Future<Integer>> counts = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(ASKING + STARTING)) {
            for (ControlConnection connection : connections.subList(0, ASKING)) {
                counts.add(threads.submit(() -> ask(connection)));
            }
            for (int i = 0; i < STARTING; i++) {
                Tenant tenant = tenants.get(i).with(Role.RUN, Tenant.SLOW_TO_END);
                ControlConnection connection = connections.get(ASKING + i);
                counts.add(threads.submit(() -> startAndStop(tenant, connection)));
            }
        }
        int verbs = connections.size();
        for (Future<Integer> count : counts) {
            verbs += count.get();
        }

        System.out.println("measured: " + verbs + " verbs over " + connections.size() + " connections: memory.peak "
                + read("memory.peak") + ", afterwards " + anonymous() + " anonymous");
        assertThat(verbs).isEqualTo(VERBS);
        assertThat(read("memory.events").lines()).contains("oom_kill 0");
        assertThat(mainPid()).isEqualTo(service);
        for (ControlConnection connection : connections) {
            connection.close();
        }
    }

    /** One after the other, since systemd is asked who each is. */
    private static List<ControlConnection> connect() throws IOException {
        List<ControlConnection> connections = new ArrayList<>();
        while (connections.size() < ASKING + STARTING) {
            ControlConnection connection = new ControlConnection(ControlClient.OF_THE_AGENT.socket());
            connections.add(connection);
            assertStatus(204, connection.get("/ready"));
        }
        return connections;
    }

    private static int ask(ControlConnection connection) throws IOException {
        for (int i = 0; i < QUESTIONS_EACH; i++) {
            assertStatus(204, connection.get("/ready"));
        }
        return QUESTIONS_EACH;
    }

    private static int startAndStop(Tenant tenant, ControlConnection connection) throws IOException {
        int verbs = 0;
        for (int round = 0; round < ROUNDS; round++) {
            tenant.deleteFile("ready");
            Answer started =
                    connection.post("/start?role=run&host=" + tenant + "&memory_max=" + MemoryTier.MIB_512.maxBytes());
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
