package io.carlos.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.local.LocalBoxes.LocalBox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalBoxesTest {
    @TempDir
    Path directory;

    private LocalBoxes boxes;

    @BeforeEach
    void name() {
        boxes = new LocalBoxes(directory.resolve("store"));
    }

    @Test
    void boxThatIsTakenIsAliveAndAnotherOneIsFree() throws Exception {
        try (LocalBox first = boxes.takeFree();
                LocalBox second = boxes.takeFree()) {
            assertThat(first.name()).isEqualTo("local");
            assertThat(second.name()).isEqualTo("local-2");
            assertThat(boxes.isAlive("local")).isTrue();
        }
        assertThat(boxes.isAlive("local")).isFalse();
    }

    @Test
    void ownerThatIsAPathIsNoBoxAndMakesNothingThere() throws Exception {
        boxes.takeFree().close();
        Path outside = Files.createDirectory(directory.resolve("outside"));

        assertThat(boxes.isAlive("../../outside")).isFalse();
        assertThat(boxes.isAlive(outside.toString())).isFalse();
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void strayFileAmongTheBoxesIsPassedOver() throws Exception {
        boxes.takeFree().close();
        Files.createFile(directory.resolve("store/boxes/notes"));
        List<String> dead = new ArrayList<>();

        boxes.forEachDead(box -> dead.add(box.name()));

        assertThat(dead).containsExactly("local");
    }

    @Test
    void deadBoxThatIsNotInHandIsFreeToOthers() throws Exception {
        try (LocalBox first = boxes.takeFree()) {
            boxes.takeFree().close();
            assertThat(first.name()).isEqualTo("local");
        }

        boxes.forEachDead(dead -> {
            String other = dead.name().equals("local") ? "local-2" : "local";
            assertThat(boxes.isAlive(other)).isFalse();
        });
    }
}
