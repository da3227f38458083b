package io.carlos.cli.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a file descriptor of this process leads to, read off {@code /proc}: a call into the C library would load it first. */
enum DescriptorType {
    TERMINAL,
    /** A pipe or a socket: there is a process at the other end. */
    PEER,
    OTHER;

    private static final int FORMAT_MASK = 0170000;
    private static final int CHARACTER_DEVICE = 0020000;
    private static final int FIFO = 0010000;
    private static final int SOCKET = 0140000;

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path TERMINAL_DRIVERS = Path.of("/proc/tty/drivers");

    /** {@link #OTHER} too when the descriptor is closed. */
    static DescriptorType of(int descriptor) {
        Path link = DESCRIPTORS.resolve(Integer.toString(descriptor));
        try {
            return switch ((int) Files.getAttribute(link, "unix:mode") & FORMAT_MASK) {
                case FIFO, SOCKET -> PEER;
                case CHARACTER_DEVICE ->
                    isTerminalDevice((long) Files.getAttribute(link, "unix:rdev")) ? TERMINAL : OTHER;
                default -> OTHER;
            };
        } catch (IOException _) {
            return OTHER;
        }
    }

    private static boolean isTerminalDevice(long device) throws IOException {
        return isTerminalMajor(major(device), Files.readAllLines(TERMINAL_DRIVERS));
    }

    /** The major number, packed as makedev(3) of the GNU C library packs it. */
    static long major(long device) {
        return ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
    }

    /** Whether a line such as {@code pty_slave /dev/pts 136 0-1048575 pty:slave} has this number. */
    static boolean isTerminalMajor(long major, List<String> drivers) {
        return drivers.stream()
                .map(line -> line.strip().split("\\s+"))
                .anyMatch(fields -> fields.length > 2 && fields[2].equals(Long.toString(major)));
    }
}
