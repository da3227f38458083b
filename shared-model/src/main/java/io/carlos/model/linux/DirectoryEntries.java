package io.carlos.model.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the names of an open directory by {@code getdents64}, a buffer at a time. Listing {@code /proc/self/fd/N} by
 * java.nio would need a mounted {@code /proc} and loses the bytes of names that are no text in the process's locale.
 */
final class DirectoryEntries {
    private static final int BUFFER_LENGTH = 32 * 1024;
    private static final int TYPE_DIRECTORY = 4;

    private final Descriptor directory;
    private final byte[] buffer = new byte[BUFFER_LENGTH];

    /** @param directory its own file offset is used, so nobody else may list by it */
    DirectoryEntries(Descriptor directory) {
        this.directory = directory;
    }

    /** @param directory whether it was a directory when it was listed: a hint, no more */
    record Entry(String name, boolean directory) {}

    static List<String> all(Descriptor directory) throws LinuxException {
        DirectoryEntries entries = new DirectoryEntries(directory);
        List<String> names = new ArrayList<>();
        for (List<Entry> batch = entries.next(); !batch.isEmpty(); batch = entries.next()) {
            batch.forEach(entry -> names.add(entry.name()));
        }
        return names;
    }

    /** Some more entries without {@code .} and {@code ..}; none at the end. */
    List<Entry> next() throws LinuxException {
        List<Entry> batch = new ArrayList<>();
        long length;
        do {
            try (Descriptor.Use use = directory.use()) {
                length = Libc.check(
                        "getdents64", directory.subject(), () -> Libc.getdents64(use.number(), buffer, BUFFER_LENGTH));
            }
            parse((int) length, batch);
        } while (length > 0 && batch.isEmpty());
        return batch;
    }

    /** Reads {@code struct linux_dirent64}: inode 8, offset 8, record length 2, type 1, then the name up to its NUL. */
    private void parse(int length, List<Entry> batch) {
        ByteBuffer records = ByteBuffer.wrap(buffer).order(ByteOrder.nativeOrder());
        int start = 0;
        while (start < length) {
            int nameStart = start + 19;
            int nameEnd = nameStart;
            while (buffer[nameEnd] != 0) {
                nameEnd++;
            }
            String name = FileNames.decode(buffer, nameStart, nameEnd);
            if (!name.equals(".") && !name.equals("..")) {
                batch.add(new Entry(name, buffer[start + 18] == TYPE_DIRECTORY));
            }
            start += Short.toUnsignedInt(records.getShort(start + 16));
        }
    }
}
