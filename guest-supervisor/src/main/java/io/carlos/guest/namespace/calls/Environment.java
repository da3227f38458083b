package io.carlos.guest.namespace.calls;

import io.carlos.model.text.CString;
import io.carlos.model.text.Utf8;
import org.jspecify.annotations.Nullable;

/** The variables that a process was started with. Of a variable that is there twice, the first counts, as in C. */
public final class Environment {
    private final byte[][] entries;

    /** @param entries {@code KEY=value} each */
    public Environment(byte[][] entries) {
        this.entries = entries;
    }

    /** The variable's value, or null when it is not set or not UTF-8. */
    public @Nullable String find(String name) {
        byte[] start = CString.bytes(name + "=");
        for (byte[] entry : entries) {
            if (startsWith(entry, start)) {
                byte[] value = new byte[entry.length - start.length];
                System.arraycopy(entry, start.length, value, 0, value.length);
                return Utf8.decode(value);
            }
        }
        return null;
    }

    /** The variable's value, or the other text when it is not set or empty. */
    public String get(String name, String otherwise) {
        String value = find(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    private static boolean startsWith(byte[] entry, byte[] start) {
        boolean equal = entry.length >= start.length;
        for (int i = 0; equal && i < start.length; i++) {
            equal = entry[i] == start[i];
        }
        return equal;
    }
}
