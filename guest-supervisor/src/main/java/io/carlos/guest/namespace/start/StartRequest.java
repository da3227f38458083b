package io.carlos.guest.namespace.start;

import io.carlos.guest.namespace.calls.CString;
import io.carlos.model.linux.process.UserIdentity;
import io.carlos.model.text.Utf8;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command to start, as it goes over the channel: the length of what follows, uid, gid and the numbers of arguments and
 * of variables as four bytes each, the highest first; then texts that end in NUL each.
 *
 * @param controlGroup the directory of the control group to enter; empty: none
 * @param workingDirectory absolute
 * @param searchPath where a program without a slash in its name is looked for
 * @param argv not empty, the program's name first, without ending NUL as the next one
 * @param environment {@code KEY=value} each
 */
public record StartRequest(
        UserIdentity user,
        String controlGroup,
        String workingDirectory,
        String searchPath,
        List<byte[]> argv,
        List<byte[]> environment) {
    /** The kernel takes fewer bytes of arguments and variables, with a pointer to each, whatever the limits are. */
    static final int KERNEL_LIMIT = 6 * 1024 * 1024;

    /** The numbers, the texts that the kernel does not count, and what it takes at most. */
    static final int MAX_BYTES = KERNEL_LIMIT + 1024 * 1024;

    static final int LENGTH_BYTES = 4;
    private static final int NUMBERS_BYTES = 16;
    private static final int POINTER_BYTES = 8;

    /** Whether the kernel would refuse it with {@code E2BIG}, however generous its limits are. */
    public boolean isTooLong() {
        long bytes = 0;
        for (byte[] text : argv) {
            bytes += text.length + 1 + POINTER_BYTES;
        }
        for (byte[] text : environment) {
            bytes += text.length + 1 + POINTER_BYTES;
        }
        return bytes > KERNEL_LIMIT;
    }

    /** @throws IllegalArgumentException when it {@linkplain #isTooLong() is too long} */
    public byte[] encode() {
        if (isTooLong()) {
            throw new IllegalArgumentException("arguments and environment are longer than the kernel takes");
        }
        List<byte[]> texts = new ArrayList<>();
        texts.add(CString.bytes(controlGroup));
        texts.add(CString.bytes(workingDirectory));
        texts.add(CString.bytes(searchPath));
        texts.addAll(argv);
        texts.addAll(environment);
        int length = NUMBERS_BYTES;
        for (byte[] text : texts) {
            length += text.length + 1;
        }
        byte[] bytes = new byte[LENGTH_BYTES + length];
        Numbers.put(bytes, 0, length);
        Numbers.put(bytes, 4, user.uid());
        Numbers.put(bytes, 8, user.gid());
        Numbers.put(bytes, 12, argv.size());
        Numbers.put(bytes, 16, environment.size());
        int end = LENGTH_BYTES + NUMBERS_BYTES;
        for (byte[] text : texts) {
            System.arraycopy(text, 0, bytes, end, text.length);
            end += text.length + 1;
        }
        return bytes;
    }

    /**
     * @param bytes all that follows the length
     * @throws IllegalArgumentException when it is no request
     */
    static StartRequest decode(byte[] bytes) {
        return new Reader(bytes).request();
    }

    private static final class Reader {
        private final byte[] bytes;
        private int position;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        StartRequest request() {
            int uid = number();
            int gid = number();
            int arguments = number();
            int variables = number();
            String controlGroup = required(Utf8.decode(text()));
            String workingDirectory = required(Utf8.decode(text()));
            String searchPath = required(Utf8.decode(text()));
            List<byte[]> argv = texts(arguments);
            List<byte[]> environment = texts(variables);
            if (argv.isEmpty() || position != bytes.length) {
                throw broken();
            }
            return new StartRequest(
                    new UserIdentity(uid, gid), controlGroup, workingDirectory, searchPath, argv, environment);
        }

        private int number() {
            if (bytes.length - position < 4) {
                throw broken();
            }
            int number = Numbers.get(bytes, position);
            position += 4;
            return number;
        }

        private List<byte[]> texts(int count) {
            List<byte[]> texts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                texts.add(text());
            }
            return texts;
        }

        private byte[] text() {
            int end = position;
            while (end < bytes.length && bytes[end] != 0) {
                end++;
            }
            if (end == bytes.length) {
                throw broken();
            }
            byte[] text = new byte[end - position];
            System.arraycopy(bytes, position, text, 0, text.length);
            position = end + 1;
            return text;
        }

        private static String required(@Nullable String text) {
            if (text == null) {
                throw broken();
            }
            return text;
        }

        private static IllegalArgumentException broken() {
            return new IllegalArgumentException("not a request to start a command");
        }
    }
}
