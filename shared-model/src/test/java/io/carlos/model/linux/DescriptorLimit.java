package io.carlos.model.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Leaves this process only some descriptors more than it has open, until it is closed. */
final class DescriptorLimit implements AutoCloseable {
    private final long[] before = new long[2];

    private DescriptorLimit(long limit) {
        LinuxTestCalls.LIBC.getrlimit(LinuxTestCalls.RLIMIT_NOFILE, before);
        LinuxTestCalls.LIBC.setrlimit(LinuxTestCalls.RLIMIT_NOFILE, new long[] {limit, before[1]});
    }

    static DescriptorLimit above(int more) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            long highest = open.mapToLong(fd -> Long.parseLong(fd.getFileName().toString()))
                    .max()
                    .orElseThrow();
            return new DescriptorLimit(highest + more);
        }
    }

    @Override
    public void close() {
        LinuxTestCalls.LIBC.setrlimit(LinuxTestCalls.RLIMIT_NOFILE, before);
    }
}
