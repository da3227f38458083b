package io.carlos.guest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How a supervisor runs. Paths are texts here: Spring would look for {@code /} and what is below it among the resources
 * of the class path first.
 *
 * @param listen {@code unix:/path} or {@code vsock:port}; absent: as process 1 of a virtual machine, which learns its
 *     port and its nonce from the kernel's command line and is switched off in the end
 * @param bootNonce what Health answers, in hexadecimal digits; only beside {@code listen}
 * @param cgroup the directory of the cgroup2 file system in which every command gets a control group; absent: commands
 *     are told apart by their sessions
 * @param nativeProgram the program that takes on users' ids for a supervisor that is root; absent: {@value
 *     #NATIVE_PROGRAM} as process 1, and otherwise none
 * @param workspace where a virtual machine's workspace is mounted
 * @param stopGrace how long commands have to end when the supervisor stops
 */
@ConfigurationProperties("carlos.guest")
public record GuestSettings(
        @Nullable String listen,
        @DefaultValue("") String bootNonce,
        @Nullable String cgroup,
        @Nullable String nativeProgram,
        @DefaultValue("/workspace") String workspace,
        @DefaultValue("10s") Duration stopGrace) {
    private static final String NATIVE_PROGRAM = "/opt/carlos/carlos";

    /** Where to listen, if this is not process 1 of a virtual machine. */
    public Optional<String> address() {
        return Optional.ofNullable(listen);
    }

    public Optional<Path> cgroupDirectory() {
        return Optional.ofNullable(cgroup).map(Path::of);
    }

    /** Which program must be there, if any. */
    public Optional<Path> nativeProgramFile() {
        Optional<String> otherwise = address().isPresent() ? Optional.empty() : Optional.of(NATIVE_PROGRAM);
        return Optional.ofNullable(nativeProgram).or(() -> otherwise).map(Path::of);
    }

    public Path workspaceDirectory() {
        return Path.of(workspace);
    }
}
