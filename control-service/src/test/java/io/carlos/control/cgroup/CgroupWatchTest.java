package io.carlos.control.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.testing.FileBox;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CgroupWatchTest {
    private static final UnitName UNIT = UnitName.of(Role.CMD, Host.of("a.example.com"));
    private static final UnitName OTHER = UnitName.of(Role.CMD, Host.of("b.example.com"));
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(30);

    private FileBox box;
    private CgroupWatch watch;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        box = new FileBox(directory);
        watch = CgroupWatch.open(box.cgroupRoot(), (empty, time) -> {});
    }

    @AfterEach
    void close() throws IOException {
        watch.close();
    }

    private FutureTask<Boolean> waitInBackground(UnitName unit, Duration time) {
        FutureTask<Boolean> wait = new FutureTask<>(() -> watch.awaitEmpty(unit, time));
        Thread.ofVirtual().start(wait);
        return wait;
    }

    @Test
    void aDirectoryWithoutTheCgroupFileSystemIsRefusedNamingTheFile(@TempDir Path other) {
        assertThatThrownBy(() -> CgroupWatch.open(other.resolve("missing"), (empty, time) -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        other.resolve("missing/cgroup.controllers").toString());
        assertThatThrownBy(() -> CgroupWatch.open(other.getRoot().resolve("proc"), (empty, time) -> {}))
                .hasMessageContaining("cgroup.controllers");
    }

    @Test
    void aGroupThatIsNotThereIsEmpty() throws Exception {
        assertThat(watch.awaitEmpty(UNIT, LONG)).isTrue();
    }

    @Test
    void aGroupWithoutItsFileIsEmpty() throws Exception {
        box.populate(UNIT);
        Files.delete(box.cgroupRoot().resolve(UNIT.cgroupPath()).resolve("cgroup.events"));

        assertThat(watch.isEmpty(UNIT)).isTrue();
    }

    @Test
    void aPopulatedGroupIsNotEmptyWhenTheTimeIsOver() throws Exception {
        box.populate(UNIT);

        assertThat(watch.awaitEmpty(UNIT, SHORT)).isFalse();
    }

    @Test
    void aFileThatCannotBeUnderstoodCountsAsPopulated() throws Exception {
        for (String content : List.of("", "populated", "populated 00", "populated 1", "frozen 0", "unpopulated 0x")) {
            box.events(UNIT, content);
            assertThat(watch.isEmpty(UNIT)).as(content).isFalse();
        }
    }

    @Test
    void aWaitEndsWhenTheGroupBecomesEmpty() throws Exception {
        box.populate(UNIT);
        FutureTask<Boolean> wait = waitInBackground(UNIT, LONG);
        box.empty(UNIT);

        assertThat(wait.get()).isTrue();
    }

    @Test
    void aWaitEndsWhenTheGroupIsRemoved() throws Exception {
        box.populate(UNIT);
        FutureTask<Boolean> wait = waitInBackground(UNIT, LONG);
        box.remove(UNIT);

        assertThat(wait.get()).isTrue();
    }

    @Test
    void manyWaitsEndEachWithItsOwnGroup() throws Exception {
        box.populate(UNIT).populate(OTHER);
        List<FutureTask<Boolean>> ending = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            ending.add(waitInBackground(UNIT, LONG));
        }
        FutureTask<Boolean> staying = waitInBackground(OTHER, Duration.ofMillis(500));
        box.empty(UNIT);

        for (FutureTask<Boolean> wait : ending) {
            assertThat(wait.get()).isTrue();
        }
        assertThat(staying.get()).isFalse();
    }

    @Test
    void aGroupThatIsMadeAgainIsWatchedAgain() throws Exception {
        for (int i = 0; i < 3; i++) {
            box.populate(UNIT);
            FutureTask<Boolean> wait = waitInBackground(UNIT, LONG);
            box.empty(UNIT).remove(UNIT);
            assertThat(wait.get()).isTrue();
        }
    }
}
