package io.carlos.model.linux.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The processes of this machine, read from {@code /proc}. A process that is gone, or that the kernel shows only to
 * others, is empty; every other failure is an error, so that a shortage of descriptors never looks like an empty machine.
 */
public final class ProcFs {
    private static final int PAGE = 4096;
    private static final int ATTEMPTS_AT_AN_ENVIRONMENT = 1_000;
    private static final long PAUSE_NANOS = 100_000;

    private ProcFs() {}

    /** Every process there is to see, in no promised order. */
    public static List<ProcessStat> processes() throws IOException {
        List<ProcessStat> found = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path directory : directories) {
                stat(Integer.parseInt(directory.getFileName().toString())).ifPresent(found::add);
            }
        }
        return found;
    }

    /** The number that was given to a process or thread last; as long as it stays the same, nobody has forked. */
    public static int lastProcessNumber() throws IOException {
        String averages = Files.readString(Path.of("/proc/loadavg"));
        return Integer.parseInt(
                averages.substring(averages.lastIndexOf(' ') + 1).strip());
    }

    public static Optional<ProcessStat> stat(int pid) throws ProcessCallException {
        return read("/proc/" + pid + "/stat").map(ProcessStat::parse);
    }

    /**
     * The value a variable had when the process last executed a program; what it changed since does not show. Only the
     * processes of one's own user can be asked, unless one is root.
     */
    public static Optional<String> environmentVariable(int pid, String name) throws ProcessCallException {
        byte[] prefix = (name + "=").getBytes(StandardCharsets.UTF_8);
        byte[] environment = environment(pid).orElse(new byte[0]);
        int start = 0;
        while (start < environment.length) {
            int end = start;
            while (end < environment.length && environment[end] != 0) {
                end++;
            }
            int value = start + prefix.length;
            if (value <= end && Arrays.equals(environment, start, value, prefix, 0, prefix.length)) {
                return Optional.of(new String(environment, value, end - value, StandardCharsets.UTF_8));
            }
            start = end + 1;
        }
        return Optional.empty();
    }

    /** The words a process was executed with; none of one that is gone or has ended. Every user may ask for everybody's. */
    public static List<String> commandLine(int pid) throws ProcessCallException {
        byte[] words = read("/proc/" + pid + "/cmdline").orElse(new byte[0]);
        return List.of(new String(words, StandardCharsets.UTF_8).split("\0"));
    }

    /** A process in the midst of execve(2) reads as if it had none: it would be missed by who looks for its mark. */
    private static Optional<byte[]> environment(int pid) throws ProcessCallException {
        String path = "/proc/" + pid + "/environ";
        Optional<byte[]> environment = read(path);
        for (int i = 0; i < ATTEMPTS_AT_AN_ENVIRONMENT; i++) {
            if (environment.isEmpty() || environment.get().length > 0) {
                return environment;
            }
            boolean executing =
                    stat(pid).filter(ProcessStat::hasNoEnvironmentYet).isPresent();
            // Read again in either case: it may have got its environment between the reading and the look at its state.
            environment = read(path);
            if (!executing) {
                return environment;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return environment;
    }

    private static Optional<byte[]> read(String path) throws ProcessCallException {
        byte[] terminated = Libc.terminated(path);
        try {
            int file = (int) Libc.check("open", path, () -> Libc.open(terminated, Libc.O_RDONLY | Libc.O_CLOEXEC));
            try {
                return Optional.of(readToEnd(path, file));
            } finally {
                Libc.close(file);
            }
        } catch (ProcessCallException e) {
            return switch (e.errno()) {
                case ProcessCallException.ENOENT,
                        ProcessCallException.ESRCH,
                        ProcessCallException.EACCES,
                        ProcessCallException.EPERM -> Optional.empty();
                default -> throw e;
            };
        }
    }

    private static byte[] readToEnd(String path, int file) throws ProcessCallException {
        ByteArrayOutputStream content = new ByteArrayOutputStream(PAGE);
        byte[] page = new byte[PAGE];
        while (true) {
            int count = (int) Libc.check("read", path, () -> Libc.read(file, page, page.length));
            if (count == 0) {
                return content.toByteArray();
            }
            content.write(page, 0, count);
        }
    }
}
