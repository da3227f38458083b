package io.carlos.guest.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.linux.Mount;
import io.carlos.model.linux.MountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachinePartsTest {
    @TempDir
    private Path interfaces;

    private MachineParts parts() {
        return new MachineParts(interfaces, Path.of("/workspace"));
    }

    private void interfaceIs(String name, String state) throws IOException {
        Files.writeString(Files.createDirectory(interfaces.resolve(name)).resolve("operstate"), state + "\n");
    }

    private static MountTable mounted(String point, String fileSystem) {
        return new MountTable(List.of(
                new Mount(1, 0, "/", "/", Set.of("ro"), "erofs", "/dev/vda", Set.of("ro")),
                new Mount(2, 1, "/", point, Set.of("rw"), fileSystem, "workspace", Set.of("rw"))));
    }

    @Test
    void withoutAnInterfaceThereIsNoNetwork() {
        assertThat(parts().networkUp()).isFalse();
    }

    @Test
    void theLoopbackAloneIsNoNetwork() throws IOException {
        interfaceIs("lo", "up");
        assertThat(parts().networkUp()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"up, true", "unknown, true", "down, false", "dormant, false", "lowerlayerdown, false", "'', false"})
    void anInterfaceIsTheNetworkInTheStateOf(String state, boolean up) throws IOException {
        interfaceIs("lo", "unknown");
        interfaceIs("eth0", state);
        assertThat(parts().networkUp()).isEqualTo(up);
    }

    @Test
    void theHostsDirectoryAtTheRightPlaceIsTheWorkspace() {
        assertThat(parts().workspaceMounted(mounted("/workspace", "virtiofs"))).isTrue();
    }

    @Test
    void anotherFileSystemAtTheRightPlaceIsNone() {
        assertThat(parts().workspaceMounted(mounted("/workspace", "tmpfs"))).isFalse();
    }

    @Test
    void theHostsDirectoryAtAnotherPlaceIsNone() {
        assertThat(parts().workspaceMounted(mounted("/workspace/below", "virtiofs")))
                .isFalse();
    }

    @Test
    void thisMachineHasNone() {
        assertThat(parts().workspaceMounted()).isFalse();
    }
}
