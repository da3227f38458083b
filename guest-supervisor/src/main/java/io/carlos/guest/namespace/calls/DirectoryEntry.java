package io.carlos.guest.namespace.calls;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A name in a directory. */
public record DirectoryEntry(String name, boolean directory, boolean device) {
    private static final int BUFFER_BYTES = 8 * 1024;

    private static final int LENGTH_OFFSET = 16;
    private static final int TYPE_OFFSET = 18;
    private static final int NAME_OFFSET = 19;

    private static final int CHARACTER_DEVICE = 2;
    private static final int DIRECTORY = 4;
    private static final int BLOCK_DEVICE = 6;

    /** Lists a directory, {@code .} and {@code ..} left out. */
    public static List<DirectoryEntry> list(Syscalls calls, String path) {
        int directory = new Files(calls).openDirectory(path);
        try {
            return list(calls, path, directory);
        } finally {
            calls.close(directory);
        }
    }

    public static List<DirectoryEntry> list(Syscalls calls, String path, int directory) {
        List<DirectoryEntry> entries = new ArrayList<>();
        byte[] buffer = new byte[BUFFER_BYTES];
        while (true) {
            int length = CallFailedException.check(calls, "list " + path, calls.readEntries(directory, buffer));
            if (length == 0) {
                return entries;
            }
            int offset = 0;
            while (offset < length) {
                DirectoryEntry entry = parse(buffer, offset);
                if (!entry.name.equals(".") && !entry.name.equals("..")) {
                    entries.add(entry);
                }
                offset += (buffer[offset + LENGTH_OFFSET] & 0xff) | (buffer[offset + LENGTH_OFFSET + 1] & 0xff) << 8;
            }
        }
    }

    private static DirectoryEntry parse(byte[] buffer, int offset) {
        int end = offset + NAME_OFFSET;
        while (buffer[end] != 0) {
            end++;
        }
        int start = offset + NAME_OFFSET;
        String name = new String(buffer, start, end - start, StandardCharsets.UTF_8);
        int type = buffer[offset + TYPE_OFFSET];
        return new DirectoryEntry(name, type == DIRECTORY, type == CHARACTER_DEVICE || type == BLOCK_DEVICE);
    }
}
