package io.carlos.guest.boot;

import com.google.protobuf.ByteString;
import io.carlos.guest.GuestSettings;
import io.carlos.guest.rpc.GuestFacts;
import io.carlos.guest.transport.ListenAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Where a supervisor finds itself.
 *
 * @param cgroup where commands get their control groups
 * @param nativeProgram the program that takes on users' ids for a supervisor that is root
 * @param end what happens to the process, or the machine, when everything is stopped
 */
public record Surroundings(
        ListenAddress address,
        GuestFacts facts,
        Optional<Path> cgroup,
        Optional<Path> nativeProgram,
        EndOfService end) {
    private static final Path COMMAND_LINE = Path.of("/proc/cmdline");
    private static final Path COMMANDS = Path.of("/sys/fs/cgroup/execs");

    /**
     * @throws IllegalArgumentException when a setting, or the kernel's command line, does not say what it must, or the
     *     native program is not there
     */
    public static Surroundings of(GuestSettings settings, String version) throws IOException {
        return settings.address().isPresent()
                ? ofProcess(settings, ListenAddress.parse(settings.address().get()), version)
                : ofMachine(settings, KernelCommandLine.parse(Files.readString(COMMAND_LINE)), version);
    }

    private static Surroundings ofProcess(GuestSettings settings, ListenAddress address, String version) {
        ByteString nonce = ByteString.copyFrom(HexFormat.of().parseHex(settings.bootNonce()));
        // The host's own network and files are what commands get.
        GuestFacts facts = new GuestFacts(version, () -> true, () -> true, nonce);
        return new Surroundings(
                address, facts, settings.cgroupDirectory(), nativeProgram(settings), EndOfService.PROCESS);
    }

    static Surroundings ofMachine(GuestSettings settings, KernelCommandLine line, String version) throws IOException {
        MachineParts parts = new MachineParts(Path.of("/sys/class/net"), settings.workspaceDirectory());
        GuestFacts facts = new GuestFacts(
                version, parts::networkUp, parts::workspaceMounted, ByteString.copyFrom(line.bootNonce()));
        Path cgroup = settings.cgroupDirectory().orElse(COMMANDS);
        Files.createDirectories(cgroup);
        return new Surroundings(
                new ListenAddress.Vsock(line.vsockPort()),
                facts,
                Optional.of(cgroup),
                nativeProgram(settings),
                EndOfService.MACHINE);
    }

    /** Whoever names the program relies on it, and so does a machine: there is no less safe way behind its back. */
    private static Optional<Path> nativeProgram(GuestSettings settings) {
        Optional<Path> program = settings.nativeProgramFile();
        program.filter(file -> !Files.isRegularFile(file) || !Files.isExecutable(file))
                .ifPresent(file -> {
                    throw new IllegalArgumentException("native program " + file
                            + ": expected an executable file; install it, or name it by carlos.guest.native-program");
                });
        return program;
    }
}
