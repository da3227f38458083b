package io.carlos.agent.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.linux.Directory;
import io.carlos.model.names.Host;
import io.carlos.model.records.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerNotesTest {
    private static final Host A = Host.of("a.example.com");
    private static final InstanceRow ROW =
            InstanceRow.created(Records.of("a.example.com"), Instant.parse("2026-03-04T05:06:07Z"));

    @TempDir
    private Path data;

    private Path file(String name) {
        return data.resolve(".instances/.owners").resolve(name);
    }

    private Optional<OwnerNote> noteOfA() throws IOException {
        try (Directory root = Directory.open(data);
                OwnerNotes notes = OwnerNotes.open(root)) {
            return notes.find(A);
        }
    }

    private void put(InstanceRow... rows) throws IOException {
        try (InstanceTable table = InstanceTable.open(data)) {
            for (InstanceRow row : rows) {
                table.put(row);
            }
        }
    }

    @Test
    void a_row_has_a_note_that_says_whose_it_is() throws IOException {
        put(ROW, ROW.withSeedCommitted().withDesired(Desired.STOPPED));

        assertThat(noteOfA()).contains(OwnerNote.of(ROW.withSeedCommitted().withDesired(Desired.STOPPED)));
    }

    @Test
    void a_row_of_an_agent_that_kept_no_notes_gets_one() throws IOException {
        put(ROW);
        Files.delete(file("a.example.com.json"));

        InstanceTable.open(data).close();

        assertThat(noteOfA()).contains(OwnerNote.of(ROW));
    }

    @Test
    void a_row_knows_better_than_its_note() throws IOException {
        put(ROW);
        String other = Files.readString(file("a.example.com.json"));
        InstanceRow moved = InstanceRow.created(
                Records.createdAt(Records.of("a.example.com"), Records.CREATED.plusSeconds(1)), ROW.since());
        put(moved);
        Files.writeString(file("a.example.com.json"), other);

        InstanceTable.open(data).close();

        assertThat(noteOfA()).contains(OwnerNote.of(moved));
    }

    @Test
    void a_row_that_is_gone_leaves_another_incarnations_note_alone() throws IOException {
        InstanceRow gone = ROW.withDesired(Desired.GONE);
        InstanceRow other = InstanceRow.created(
                Records.createdAt(Records.of("a.example.com"), Records.CREATED.plusSeconds(1)), ROW.since());
        put(other);
        String othersNote = Files.readString(file("a.example.com.json"));
        put(gone);
        Files.writeString(file("a.example.com.json"), othersNote);

        put(gone.withState(InstanceState.FAILED, "its data is another's", ROW.since()));

        assertThat(noteOfA()).contains(OwnerNote.of(other));
        put(ROW);
        assertThat(noteOfA()).contains(OwnerNote.of(ROW));
    }

    @Test
    void a_row_whose_owner_cannot_be_noted_is_none() throws IOException {
        try (InstanceTable table = InstanceTable.open(data)) {
            Files.delete(file(""));

            assertThatThrownBy(() -> table.put(ROW)).isInstanceOf(IOException.class);

            assertThat(table.rows()).isEmpty();
        }
    }

    @Test
    void a_note_that_cannot_be_understood_says_nothing() throws IOException {
        put(ROW);
        Files.writeString(file("a.example.com.json"), "{\"schema\":2}");

        assertThat(noteOfA()).isEmpty();
    }

    @Test
    void a_note_under_another_hosts_name_says_nothing() throws IOException {
        put(InstanceRow.created(Records.of("b.example.com"), ROW.since()));
        Files.move(file("b.example.com.json"), file("a.example.com.json"));

        assertThat(noteOfA()).isEmpty();
    }

    @Test
    void a_note_that_the_disk_does_not_give_is_a_failure() throws IOException {
        Files.createDirectories(file("a.example.com.json"));

        assertThatThrownBy(this::noteOfA).isInstanceOf(IOException.class);
    }

    @Test
    void only_the_agents_user_can_read_a_note() throws IOException {
        put(ROW);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file("a.example.com.json"))))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file(""))))
                .isEqualTo("rwx------");
    }
}
