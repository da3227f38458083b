package io.carlos.guest.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.carlos.guest.GuestSettings;
import io.carlos.guest.transport.ListenAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SurroundingsTest {
    private static final KernelCommandLine LINE = KernelCommandLine.parse(
            "quiet compass.vsock_port=1024 compass.boot_nonce=000102030405060708090a0b0c0d0e0f");

    @TempDir
    private Path directory;

    private GuestSettings settings(@Nullable String listen, @Nullable Path program) {
        return new GuestSettings(
                listen,
                "0f",
                directory.resolve("groups").toString(),
                program == null ? null : program.toString(),
                "/workspace",
                Duration.ofSeconds(1));
    }

    private Path program() throws IOException {
        Path program = Files.createFile(directory.resolve("carlos"));
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void aMachineServesOnThePortOfItsCommandLineAndIsSwitchedOffInTheEnd() throws IOException {
        Path program = program();
        Surroundings machine = Surroundings.ofMachine(settings(null, program), LINE, "1");
        assertThat(machine.address()).isEqualTo(new ListenAddress.Vsock(1024));
        assertThat(machine.facts().bootNonce().toByteArray())
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        assertThat(machine.nativeProgram()).contains(program);
        assertThat(machine.cgroup()).contains(directory.resolve("groups"));
        assertThat(directory.resolve("groups")).isDirectory();
        assertThat(machine.end()).isEqualTo(EndOfService.MACHINE);
    }

    @Test
    void aMachineWithoutTheNativeProgramDoesNotBoot() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Surroundings.ofMachine(settings(null, directory.resolve("none")), LINE, "1"))
                .withMessageContaining("native program " + directory.resolve("none"));
    }

    @Test
    void aFileThatIsNotExecutableIsNoProgram() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Surroundings.of(settings("unix:/run/guest.sock", file), "1"))
                .withMessageContaining("expected an executable file");
    }

    @Test
    void aProcessAmongOthersNeedsNoProgramAndEndsByItself() throws IOException {
        Surroundings process = Surroundings.of(settings("unix:/run/guest.sock", null), "1");
        assertThat(process.nativeProgram()).isEmpty();
        assertThat(process.end()).isEqualTo(EndOfService.PROCESS);
        assertThat(process.facts().bootNonce().toByteArray()).containsExactly(0x0f);
    }
}
