package io.carlos.agent.runs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.names.InputFileName;
import io.carlos.model.runs.InputFile;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.Precondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoxRunDirectoriesTest {
    private static final RunId RUN = RunId.of("run_" + "a".repeat(26));
    private static final Host HOST = Host.of("shop.example.com");
    private static final InputFile INPUT = new InputFile(
            InputFileName.of("a b"), 3, "a665a45920422f9d417e4867efdc4fb8a04a1f3fff1fa07e998e86f7f7a27ae3");

    @TempDir
    Path data;

    private final InMemoryObjectStore store = new InMemoryObjectStore();
    private Path runs;
    private BoxRunDirectories directories;

    @BeforeEach
    void makeBox() throws IOException {
        Files.createDirectory(data.resolve("instances"));
        runs = data.resolve("instances/shop.example.com/.carlos-run");
        directories = new BoxRunDirectories(data, store, () -> {});
    }

    @Test
    void runIsStagedWithItsInputsFromTheStore() throws Exception {
        store.put(request().keys().input(INPUT.name()), "123".getBytes(UTF_8), Precondition.CREATE_ONLY);

        Path directory = directories.stage(request());

        assertThat(directory).isEqualTo(runs.resolve(RUN.value()));
        assertThat(directory.resolve("a b")).hasContent("123");
    }

    @Test
    void runOfAnInstanceWithoutAPlaceMakesNoDataDirectory() throws Exception {
        BoxRunDirectories placed = BoxRunDirectories.inPlaces(data, store, () -> {}, request -> {
            throw new StagingRefusedException(LaunchOutcome.Reason.CLAIM, "not here");
        });

        assertThatExceptionOfType(StagingRefusedException.class)
                .isThrownBy(() -> placed.makePlace(request()))
                .satisfies(e -> assertThat(e.rule()).isEqualTo("claim"));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> placed.stage(request()));
        assertThat(data.resolve("instances")).isEmptyDirectory();
    }

    @Test
    void runIsStagedInThePlaceThatWasMadeForIt() throws Exception {
        store.put(request().keys().input(INPUT.name()), "123".getBytes(UTF_8), Precondition.CREATE_ONLY);
        BoxRunDirectories placed = BoxRunDirectories.inPlaces(
                data,
                store,
                () -> {},
                request -> assertThat(runs.getParent().toFile().mkdir()).isTrue());

        placed.makePlace(request());

        assertThat(placed.stage(request()).resolve("a b")).hasContent("123");
    }

    @Test
    void inputThatIsNotStoredIsRefused() {
        assertThatExceptionOfType(StagingRefusedException.class)
                .isThrownBy(() -> directories.stage(request()))
                .withMessage("the input file a b is not in the store");
        assertThat(runs).isEmptyDirectory();
    }

    @Test
    void removedRunIsGone() throws Exception {
        store.put(request().keys().input(INPUT.name()), "123".getBytes(UTF_8), Precondition.CREATE_ONLY);
        directories.stage(request());

        directories.remove(HOST, RUN);

        assertThat(runs).isEmptyDirectory();
    }

    @Test
    void removalAtAnInstanceThatIsGoneDoesNothing() throws IOException {
        directories.remove(HOST, RUN);

        assertThat(data.resolve("instances")).isEmptyDirectory();
    }

    @Test
    void sweepKillsWhatIsLeftBeforeItRemovesTheDirectories() throws Exception {
        Files.createDirectories(runs.resolve(RUN.value()));
        List<Boolean> directoryWasThere = new ArrayList<>();
        BoxRunDirectories killing = new BoxRunDirectories(
                data, store, () -> directoryWasThere.add(Files.exists(runs.resolve(RUN.value()))));

        killing.sweep();

        assertThat(directoryWasThere).containsExactly(true);
        assertThat(runs).doesNotExist();
    }

    @Test
    void sweepThatLeavesSomethingBehindIsNoFailure() throws Exception {
        Files.createDirectories(runs.resolve(RUN.value()));
        Files.createSymbolicLink(data.resolve("instances/planted.example.com"), data);

        directories.sweep();

        assertThat(runs).doesNotExist();
    }

    private static RunRequest request() {
        return new RunRequest(
                RunRequest.SCHEMA,
                RUN,
                Account.of("acme"),
                App.of("shop"),
                HOST,
                Incarnation.of("0".repeat(64)),
                List.of("true"),
                60,
                Instant.parse("2026-07-01T09:30:00Z"),
                "operator",
                List.of(INPUT));
    }
}
