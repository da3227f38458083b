package io.carlos.guest.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.linux.RootLane;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.LinuxSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A supervisor that is process 1 of a process namespace. To such a one, {@code reboot(2)} with the order to switch the
 * machine off is the end of the namespace, by the signal SIGINT.
 */
@Timeout(120)
class ProcessOneTest {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int SWITCHED_OFF = 128 + 2;

    @TempDir
    private Path directory;

    private Path console;
    private Path commandLine;
    private Process namespace;

    @BeforeEach
    void chooseFiles() {
        RootLane.require("make a process namespace");
        console = directory.resolve("console");
        commandLine = directory.resolve("cmdline");
    }

    /** Boots with that command line of the kernel. */
    private void boot(String kernelCommandLine) throws IOException {
        Files.writeString(commandLine, kernelCommandLine + "\n");
        List<String> command = new ArrayList<>(List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child"));
        command.addAll(List.of("sh", "-c", "mount --bind \"$0\" /proc/cmdline && exec \"$@\"", commandLine.toString()));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "io.carlos.guest.GuestSupervisor",
                "--carlos.guest.native-program=/bin/true",
                "--carlos.guest.cgroup=" + directory.resolve("groups")));
        namespace = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(console.toFile())
                .start();
    }

    @AfterEach
    void endNamespace() {
        if (namespace != null) {
            namespace.destroyForcibly();
        }
    }

    private String console() throws IOException {
        return Files.readString(console);
    }

    private void assertSwitchedOff() throws Exception {
        assertThat(namespace.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(namespace.exitValue()).as(console()).isEqualTo(SWITCHED_OFF);
    }

    @Test
    void aMachineThatIsNotToldItsNonceIsSwitchedOffWithTheReasonOnTheConsole() throws Exception {
        boot("quiet compass.vsock_port=1024");
        assertSwitchedOff();
        assertThat(console())
                .contains("boot: failed; the machine is switched off")
                .contains("the kernel command line has no compass.boot_nonce; the host must put it there");
    }

    @Test
    void aMachineThatIsToldToStopIsSwitchedOff() throws Exception {
        requireVsock();
        long port = 100_000 + ProcessHandle.current().pid();
        boot("compass.vsock_port=" + port + " compass.boot_nonce=000102030405060708090a0b0c0d0e0f");
        awaitServing();
        namespace.children().forEach(ProcessHandle::destroy);
        assertSwitchedOff();
        assertThat(console()).doesNotContain("boot: failed", "cannot be switched off");
    }

    private static void requireVsock() throws IOException {
        Epoll.ensureAvailability();
        LinuxSocket socket = null;
        try {
            socket = LinuxSocket.newVSockStream();
        } catch (RuntimeException e) {
            RootLane.skip("the kernel has no vsock: " + e);
        } finally {
            if (socket != null) {
                socket.close();
            }
        }
    }

    private void awaitServing() throws IOException {
        long start = System.nanoTime();
        while (!console().contains("serve: ")) {
            assertThat(System.nanoTime() - start).as(console()).isLessThan(BOUND.toNanos());
            assertThat(namespace.isAlive()).as(console()).isTrue();
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
