package io.carlos.agent.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.fleet.Heartbeat;
import io.carlos.store.directory.DirectoryObjectStore;
import io.carlos.store.location.StoreLocation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the real service of a box starts, and how it ends before it has. */
class FleetStartTest {
    /** Of a JVM that SIGTERM has ended. */
    private static final int TERMINATED = 143;

    private static final String REGION = "region=r1";
    /** A start that waits for another to be stale waits for longer than the test. */
    private static final String FOR_LONG = "lost-after=10m";

    private static final String HELD_BACK = "another start of this box may still act";

    @TempDir
    private Path directory;

    @Test
    void an_agent_that_waits_for_its_store_ends_when_it_is_told_to() throws Exception {
        StoreLocation away = StoreLocation.of(
                "s3://nowhere?region=us-east-1&endpoint=http://127.0.0.1:" + unusedPort() + "&path-style=true");
        Map<String, String> credentials = Map.of("AWS_ACCESS_KEY_ID", "none", "AWS_SECRET_ACCESS_KEY", "none");
        try (FleetAgent agent = FleetAgent.start(away, credentials, "b1", directory, REGION)) {
            agent.awaitSaid("store: could not be tried");

            agent.process().destroy();

            assertThat(endOf(agent)).isEqualTo(TERMINATED);
        }
    }

    @Test
    void an_agent_that_waits_for_its_name_ends_when_it_is_told_to() throws Exception {
        DirectoryObjectStore.open(directory.resolve("store")).close();
        Files.createFile(directory.resolve("store").resolve("objects").resolve("boxes"));
        try (FleetAgent agent = start(directory, REGION)) {
            agent.awaitSaid("name not taken, trying again");

            agent.process().destroy();

            assertThat(endOf(agent)).isEqualTo(TERMINATED);
        }
    }

    @Test
    void an_agent_that_cannot_run_takes_no_name() throws Exception {
        try (FleetAgent agent = start(directory, REGION, "isolations=podman")) {
            assertThat(endOf(agent)).isNotZero();
            assertThat(agent.log()).contains("carlos.agent.podman.root is not set");
        }
        try (DirectoryObjectStore store = DirectoryObjectStore.open(directory.resolve("store"))) {
            assertThat(store.get(Heartbeat.key("r1", "b1"))).isEmpty();
        }
    }

    @Test
    void a_restart_on_the_same_machine_acts_at_once_and_one_on_another_waits_for_the_first() throws Exception {
        Path machine = directory.resolve("machine");
        Path other = directory.resolve("other");
        String first;
        try (FleetAgent agent = start(machine, REGION, FOR_LONG)) {
            Patience.await("the start to be noted", () -> Files.exists(noted(machine)));
            assertThat(agent.process().isAlive()).isTrue();
            first = Files.readString(noted(machine));
        }
        try (FleetAgent again = start(machine, REGION, FOR_LONG)) {
            Patience.await(
                    "the next start to be noted",
                    () -> !Files.readString(noted(machine)).equals(first));
            assertThat(again.said(HELD_BACK)).isFalse();
        }
        try (FleetAgent elsewhere = start(other, REGION, FOR_LONG)) {
            elsewhere.awaitSaid(HELD_BACK);
            assertThat(noted(other)).doesNotExist();
        }
    }

    private FleetAgent start(Path machine, String... properties) throws IOException {
        return FleetAgent.start(
                StoreLocation.of(directory.resolve("store").toString()), Map.of(), "b1", machine, properties);
    }

    private static Path noted(Path machine) {
        return machine.resolve("b1").resolve("data").resolve(".agent").resolve("start");
    }

    private static int endOf(FleetAgent agent) throws InterruptedException {
        assertThat(agent.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
        return agent.process().exitValue();
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
