package io.carlos.agent.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.records.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstanceTableTest {
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
    private static final String LONG_HOST = "a-long-name.".repeat(8) + "example.com";

    @TempDir
    private Path data;

    private static InstanceRow row(String host) {
        return InstanceRow.created(Records.of(host), NOW);
    }

    private Path file(String name) {
        return data.resolve(".agent/instances").resolve(name);
    }

    @Test
    void a_row_that_was_put_is_there_after_opening_again() throws IOException {
        InstanceRecord seeded =
                Records.withSeed(Records.of("a.example.com"), new Seed(Seed.Kind.FRESH, Seed.State.PLACED));
        InstanceRow row = InstanceRow.created(seeded, NOW)
                .withSeedCommitted()
                .withDesired(Desired.STOPPED)
                .running(InvocationId.of("0123456789abcdef0123456789abcdef"), NOW)
                .withState(InstanceState.CRASHED, "exited with 3", NOW.plusSeconds(1));
        try (InstanceTable table = InstanceTable.open(data)) {
            table.put(row);
        }

        try (InstanceTable again = InstanceTable.open(data)) {
            assertThat(again.row(Host.of("a.example.com"))).contains(row);
        }
    }

    @Test
    void rows_are_in_the_order_of_their_hosts() throws IOException {
        try (InstanceTable table = InstanceTable.open(data)) {
            table.put(row("c.example.com"));
            table.put(row(LONG_HOST));
            table.put(row("b.example.com"));
        }

        try (InstanceTable again = InstanceTable.open(data)) {
            assertThat(again.rows())
                    .extracting(row -> row.host().value())
                    .containsExactly(LONG_HOST, "b.example.com", "c.example.com");
        }
    }

    @Test
    void only_the_agents_user_can_read_the_table() throws IOException {
        try (InstanceTable table = InstanceTable.open(data)) {
            table.put(row("a.example.com"));
        }

        assertThat(mode(file("a.example.com.json"))).isEqualTo("rw-------");
        assertThat(mode(data.resolve(".agent"))).isEqualTo("rwx------");
        assertThat(mode(data.resolve(".agent/instances"))).isEqualTo("rwx------");
    }

    @Test
    void a_directory_that_others_could_read_is_closed_to_them() throws IOException {
        Files.createDirectories(data.resolve(".agent/instances"));

        InstanceTable.open(data).close();

        assertThat(mode(data.resolve(".agent/instances"))).isEqualTo("rwx------");
    }

    @Test
    void a_row_that_cannot_be_read_is_set_aside_and_the_others_are_there() throws IOException {
        try (InstanceTable table = InstanceTable.open(data)) {
            table.put(row("a.example.com"));
            table.put(row("b.example.com"));
        }
        Files.writeString(file("a.example.com.json"), "{\"schema\":1,");

        try (InstanceTable again = InstanceTable.open(data)) {
            assertThat(again.rows()).extracting(row -> row.host().value()).containsExactly("b.example.com");
        }
        assertThat(file("a.example.com.json.corrupt")).hasContent("{\"schema\":1,");
        assertThat(file("a.example.com.json")).doesNotExist();
    }

    @Test
    void a_row_that_is_set_aside_stays_lost_over_further_starts() throws IOException {
        InstanceTable.open(data).close();
        Files.writeString(file("a.example.com.json"), "{\"schema\":1,");
        InstanceTable.open(data).close();

        try (InstanceTable again = InstanceTable.open(data)) {
            assertThat(again.lostRow(Host.of("a.example.com"))).contains(file("a.example.com.json.corrupt"));
            assertThat(again.lostRow(Host.of("b.example.com"))).isEmpty();
        }
    }

    @Test
    void a_row_of_another_schema_is_no_table_and_stays_as_it_is() throws IOException {
        InstanceTable.open(data).close();
        Files.writeString(file("a.example.com.json"), "{\"schema\":2}");

        assertThatThrownBy(() -> InstanceTable.open(data))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a.example.com.json");

        assertThat(file("a.example.com.json")).exists();
    }

    @Test
    void a_row_that_the_disk_does_not_give_is_no_table() throws IOException {
        InstanceTable.open(data).close();
        Files.createDirectory(file("a.example.com.json"));

        assertThatThrownBy(() -> InstanceTable.open(data)).isInstanceOf(IOException.class);

        assertThat(file("a.example.com.json")).exists();
    }

    @Test
    void a_row_under_another_hosts_name_is_set_aside() throws IOException {
        try (InstanceTable table = InstanceTable.open(data)) {
            table.put(row("a.example.com"));
        }
        Files.move(file("a.example.com.json"), file("b.example.com.json"));

        try (InstanceTable again = InstanceTable.open(data)) {
            assertThat(again.rows()).isEmpty();
        }
    }

    @Test
    void what_a_crash_left_of_a_write_is_removed() throws IOException {
        InstanceTable.open(data).close();
        Files.writeString(file(".a.example.com.json.new"), "{");

        InstanceTable.open(data).close();

        assertThat(file(".a.example.com.json.new")).doesNotExist();
    }

    @Test
    void a_put_that_fails_leaves_the_earlier_row_and_no_half_written_file() throws IOException {
        try (InstanceTable table = InstanceTable.open(data)) {
            table.put(row("a.example.com"));
            Files.delete(file("a.example.com.json"));
            Files.delete(data.resolve(".agent/instances"));

            assertThatThrownBy(() -> table.put(row("a.example.com").withDesired(Desired.STOPPED)))
                    .isInstanceOf(IOException.class);

            assertThat(table.row(Host.of("a.example.com")).orElseThrow().desired())
                    .isEqualTo(Desired.RUN);
        }
    }

    @Test
    void a_noted_row_holds_though_the_disk_fails() throws IOException {
        try (InstanceTable table = InstanceTable.open(data)) {
            Files.delete(data.resolve(".agent/instances"));

            table.note(row("a.example.com"));

            assertThat(table.row(Host.of("a.example.com"))).isPresent();
        }
    }

    @Test
    void the_text_of_a_row_has_no_environment() {
        assertThat(row("a.example.com").toString()).doesNotContain("env");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
