package io.carlos.agent.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carlos.agent.runs.StagingRefusedException;
import io.carlos.model.linux.Directory;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotedPlacesTest {
    private static final Host HOST = Host.of("a.example.com");
    private static final RunRequest ACME = request("acme", "0");
    private static final RunRequest OTHER = request("other", "1");

    @TempDir
    private Path data;

    private Path place;

    @BeforeEach
    void makeBox() throws IOException {
        place = Files.createDirectory(data.resolve("instances")).resolve("a.example.com");
    }

    private static RunRequest request(String account, String digit) {
        return new RunRequest(
                RunRequest.SCHEMA,
                RunId.of("run_" + "a".repeat(26)),
                Account.of(account),
                App.of("web"),
                HOST,
                Incarnation.of(digit.repeat(64)),
                List.of("true"),
                60,
                Instant.parse("2026-03-04T05:06:07Z"),
                "operator",
                List.of());
    }

    /** By an agent of its own, so that all it knows is on the disk. */
    private void make(RunRequest request) throws Exception {
        try (NotedPlaces places = NotedPlaces.open(data)) {
            places.make(request);
        }
    }

    private void assertRefused(RunRequest request) {
        assertThatExceptionOfType(StagingRefusedException.class)
                .isThrownBy(() -> make(request))
                .satisfies(e -> assertThat(e.rule()).isEqualTo("claim"))
                .withMessage(InstancePlaces.notHere(HOST));
    }

    @Test
    void theFirstRunMakesTheDirectoryAndTheNextOnesHaveIt() throws Exception {
        make(ACME);
        Files.createFile(place.resolve("kept"));
        make(ACME);

        assertThat(place.resolve("kept")).exists();
    }

    @Test
    void dataOfAnotherIncarnationIsRefusedToANewOwnerAndLeftToTheOld() throws Exception {
        make(ACME);
        assertRefused(OTHER);
        make(ACME);
    }

    @Test
    void dataThatNobodyKnowsTheOwnerOfIsRefused() throws Exception {
        Files.createDirectory(place);

        assertRefused(ACME);
    }

    @Test
    void aHostWhoseDataWasRemovedIsItsNewOwners() throws Exception {
        make(ACME);
        Files.delete(place);
        make(OTHER);

        assertRefused(ACME);
    }

    @Test
    void whatAnEarlierAgentNotedOfASeedStays() throws Exception {
        OwnerNote seeded = new OwnerNote(OwnerNote.SCHEMA, ACME.recordRef(), ACME.incarnation(), true, Desired.STOPPED);
        try (Directory root = Directory.open(data);
                OwnerNotes notes = OwnerNotes.open(root)) {
            notes.keep(seeded);
            Files.createDirectory(place);
            make(ACME);

            assertThat(notes.find(HOST)).contains(seeded);
        }
    }
}
