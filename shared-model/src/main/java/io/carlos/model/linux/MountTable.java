package io.carlos.model.linux;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The mounts that this process sees at one moment, in the kernel's order. */
public record MountTable(List<Mount> mounts) {
    private static final Path MOUNTINFO = Path.of("/proc/self/mountinfo");

    public MountTable {
        mounts = List.copyOf(mounts);
    }

    /** @throws IOException when {@code /proc} cannot be read or holds a line of another form */
    public static MountTable read() throws IOException {
        return parse(Files.readAllBytes(MOUNTINFO));
    }

    /** @throws IOException when a line is not of the form that {@code proc_pid_mountinfo(5)} describes */
    static MountTable parse(byte[] mountinfo) throws IOException {
        // One char a byte, until the escapes in the fields are undone.
        String text = new String(mountinfo, StandardCharsets.ISO_8859_1);
        List<Mount> mounts = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (!line.isEmpty()) {
                mounts.add(parseLine(line));
            }
        }
        return new MountTable(mounts);
    }

    /**
     * The mount that a path leads to, links followed; empty when the table does not have it, since it was mounted or
     * unmounted meanwhile or is outside of this process's root.
     *
     * @throws LinuxException when the path leads nowhere
     */
    public Optional<Mount> mountOf(Path path) throws LinuxException {
        String text = path.toString();
        try (Descriptor handle = Descriptor.open(Libc.AT_FDCWD, text, OpenHow.TRUSTED_HANDLE, text)) {
            long id = handle.status().mountId();
            return mounts.stream().filter(mount -> mount.id() == id).findFirst();
        }
    }

    /** Fields 1 to 6, then any number of optional ones up to a hyphen, then three more. */
    private static Mount parseLine(String line) throws IOException {
        String[] fields = line.split(" ", -1);
        int hyphen = 6;
        while (hyphen < fields.length && !fields[hyphen].equals("-")) {
            hyphen++;
        }
        if (hyphen + 3 >= fields.length) {
            throw new IOException(
                    "%s: expected 6 fields, \"-\" and 3 fields, found: %s".formatted(MOUNTINFO, Printable.of(line)));
        }
        try {
            return new Mount(
                    Long.parseLong(fields[0]),
                    Long.parseLong(fields[1]),
                    unescape(fields[3]),
                    unescape(fields[4]),
                    options(fields[5]),
                    unescape(fields[hyphen + 1]),
                    unescape(fields[hyphen + 2]),
                    options(fields[hyphen + 3]));
        } catch (IllegalArgumentException e) {
            throw new IOException("%s: malformed line: %s".formatted(MOUNTINFO, Printable.of(line)), e);
        }
    }

    /** Super options can hold an option twice, and none at all. */
    private static Set<String> options(String field) {
        return Stream.of(field.split(",")).map(MountTable::unescape).collect(Collectors.toUnmodifiableSet());
    }

    /** Undoes the kernel's escapes: a backslash and three octal digits stand for one byte. */
    private static String unescape(String field) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(field.length());
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && i + 3 < field.length()) {
                bytes.write(Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                bytes.write(field.charAt(i));
            }
        }
        return FileNames.decode(bytes.toByteArray(), 0, bytes.size());
    }
}
