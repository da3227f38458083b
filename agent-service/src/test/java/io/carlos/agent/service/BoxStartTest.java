package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.fleet.Heartbeats;
import io.carlos.store.directory.DirectoryObjectStore;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an agent that cannot serve leaves as it is. */
@Timeout(60)
class BoxStartTest {
    @Test
    void anAgentWhoseSocketIsTakenTakesNoName(@TempDir Path root) throws Exception {
        Path socket = root.resolve("run/carlos/agent/agent.sock");
        Files.createDirectories(
                socket.getParent(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(socket));

            assertThatThrownBy(() -> new RunningBox(root, "process").close())
                    .hasStackTraceContaining("another process listens on it");
        }

        try (DirectoryObjectStore store = DirectoryObjectStore.open(root.resolve("store"))) {
            assertThat(Heartbeats.read(store)).isEmpty();
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            ListenAddress taken = new ListenAddress("127.0.0.1", other.getLocalPort());

            assertThatThrownBy(() -> ActuatorPort.requireFree(Optional.of(taken)))
                    .hasMessageContaining(taken.toString());
        }
    }
}
