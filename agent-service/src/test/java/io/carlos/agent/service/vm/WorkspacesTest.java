package io.carlos.agent.service.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.service.admin.AdminException;
import io.carlos.model.names.VmName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose directories come and go. */
class WorkspacesTest {
    private static final VmName NAME = VmName.of("build");

    @TempDir
    private Path directory;

    @Test
    void oneThatIsMadeIsTheOwnersAloneAndGoesWithAllThatIsInItAndNothingElse() throws Exception {
        Path kept = Files.writeString(directory.resolve("kept"), "kept");
        Workspaces workspaces = new Workspaces(directory.resolve("vms"));

        Workspace made = workspaces.take(NAME, Optional.empty());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.path())))
                .isEqualTo("rwx------");
        Files.createDirectories(made.path().resolve("a/b"));
        Files.createSymbolicLink(made.path().resolve("a/link"), kept);
        workspaces.putBack(made);

        assertThat(made.path()).doesNotExist();
        assertThat(kept).hasContent("kept");
    }

    @Test
    void oneThatIsNamedStaysWhenItIsPutBack() throws Exception {
        Workspaces workspaces = new Workspaces(directory.resolve("vms"));

        Workspace given = workspaces.take(NAME, Optional.of(directory.toString()));
        workspaces.putBack(given);

        assertThat(given).isEqualTo(new Workspace(directory, false));
        assertThat(directory).isDirectory();
    }

    @Test
    void aSecondOneForANameIsRefused() throws Exception {
        Workspaces workspaces = new Workspaces(directory.resolve("vms"));
        workspaces.take(NAME, Optional.empty());

        assertThatThrownBy(() -> workspaces.take(NAME, Optional.empty()))
                .isInstanceOf(AdminException.class)
                .hasMessageContaining("is there already");
    }

    @Test
    void whatAnEarlierAgentHasMadeIsSwept() throws Exception {
        Path left = Files.createDirectories(directory.resolve("vms/left/deep"));
        Files.createFile(left.resolve("file"));

        new Workspaces(directory.resolve("vms")).sweep();
        new Workspaces(directory.resolve("none")).sweep();

        assertThat(directory.resolve("vms")).isEmptyDirectory();
    }

    @Test
    void oneThatCannotBeSweptKeepsNoOther() throws Exception {
        Path vms = directory.resolve("vms");
        for (int number = 0; number < 8; number++) {
            Files.createDirectories(vms.resolve("left" + number));
        }
        try (Immovable _ = Immovable.in(vms.resolve("left4"))) {
            new Workspaces(vms).sweep();

            assertThat(vms).isDirectoryContaining("glob:**/left4").isDirectoryNotContaining("glob:**/left[!4]");
        }
    }
}
