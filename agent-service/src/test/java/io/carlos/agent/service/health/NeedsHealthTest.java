package io.carlos.agent.service.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.service.health.NeedsHealth.Need;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Status;

class NeedsHealthTest {
    @TempDir
    private Path directory;

    private Path plain;

    @BeforeEach
    void makeFile() throws Exception {
        plain = Files.createFile(directory.resolve("plain"));
    }

    @Test
    void whatIsThereIsUp() {
        NeedsHealth health = new NeedsHealth(List.of(Need.toRead(plain, "image"), Need.toWrite(plain, "image")));

        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void whatLacksIsNamedAndTheRestIsNot() {
        NeedsHealth health =
                new NeedsHealth(List.of(Need.toRead(plain, "image"), Need.toRead(directory.resolve("none"), "image")));

        assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(health.obstacles()).containsExactly(directory + "/none: it is not there; see image");
    }

    @Test
    void aProgramThatCannotBeExecutedIsNamed() {
        assertThat(new NeedsHealth(List.of(Need.toExecute(plain, "tools"))).obstacles())
                .containsExactly(plain + ": the agent's user cannot execute it; see tools");
    }

    @Test
    void anObjectionToMachinesIsOutOfService() {
        NeedsHealth health = new NeedsHealth(List.of(), () -> Optional.of("the credentials are in reach"));

        assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(health.obstacles()).containsExactly("the credentials are in reach");
    }
}
