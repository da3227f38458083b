package io.carlos.model.start;

import io.carlos.model.linux.process.UserIdentity;
import io.carlos.model.text.CString;
import io.carlos.model.text.Utf8;

/**
 * A command to start, as it goes over the channel: the length of what follows, uid, gid and the numbers of arguments and
 * of variables as four bytes each, the highest first; then texts that end in NUL each: the control group, the working
 * directory, the search path, the arguments, the variables.
 *
 * @param controlGroup the directory of the control group to enter; empty: none
 * @param workingDirectory absolute
 * @param searchPath where a program without a slash in its name is looked for
 * @param arguments the program's name first
 */
public record StartRequest(
        UserIdentity user, String controlGroup, String workingDirectory, String searchPath, ArgumentBlock arguments) {
    /** The kernel takes fewer bytes of arguments and variables, with a pointer to each, whatever the limits are. */
    static final int KERNEL_LIMIT = 6 * 1024 * 1024;

    /** The kernel takes no longer text as an argument or a variable, and so no command ever has a longer search path. */
    static final int LONGEST_TEXT = 128 * 1024;

    /** Of what follows the length: what the kernel takes at most, and room for the rest. */
    public static final int MAX_BYTES = KERNEL_LIMIT + 1024 * 1024;

    public static final int LENGTH_BYTES = 4;
    private static final int NUMBERS_BYTES = 16;
    private static final int POINTER_BYTES = 8;

    /** Whether the kernel would refuse it with {@code E2BIG}, however generous its limits are. */
    public boolean isTooLong() {
        long texts = (long) arguments.arguments() + arguments.variables();
        return arguments.length() + texts * POINTER_BYTES > KERNEL_LIMIT
                || CString.bytes(searchPath).length > LONGEST_TEXT;
    }

    /** @throws IllegalArgumentException when it {@linkplain #isTooLong() is too long} */
    public byte[] encode() {
        if (isTooLong()) {
            throw new IllegalArgumentException(
                    "arguments, environment or search path are longer than the kernel takes");
        }
        byte[][] texts = {CString.of(controlGroup), CString.of(workingDirectory), CString.of(searchPath)};
        int length = NUMBERS_BYTES + arguments.length();
        for (byte[] text : texts) {
            length += text.length;
        }
        byte[] bytes = new byte[LENGTH_BYTES + length];
        int[] numbers = {length, user.uid(), user.gid(), arguments.arguments(), arguments.variables()};
        int end = 0;
        for (int number : numbers) {
            Numbers.put(bytes, end, number);
            end += Integer.BYTES;
        }
        for (byte[] text : texts) {
            System.arraycopy(text, 0, bytes, end, text.length);
            end += text.length;
        }
        System.arraycopy(arguments.bytes(), arguments.start(), bytes, end, arguments.length());
        return bytes;
    }

    /** The length of what follows, which may be any number. */
    public static int lengthIn(byte[] first) {
        return Numbers.get(first, 0);
    }

    /**
     * @param bytes all that follows the length; not copied
     * @throws IllegalArgumentException when it is no request
     */
    public static StartRequest decode(byte[] bytes) {
        if (bytes.length < NUMBERS_BYTES) {
            throw new IllegalArgumentException("a request of " + bytes.length + " bytes");
        }
        UserIdentity user = new UserIdentity(Numbers.get(bytes, 0), Numbers.get(bytes, 4));
        String[] texts = new String[3];
        int start = NUMBERS_BYTES;
        for (int i = 0; i < texts.length; i++) {
            int end = start;
            while (end < bytes.length && bytes[end] != 0) {
                end++;
            }
            texts[i] = text(bytes, start, end);
            start = end + 1;
        }
        ArgumentBlock arguments = new ArgumentBlock(bytes, start, Numbers.get(bytes, 8), Numbers.get(bytes, 12));
        return new StartRequest(user, texts[0], texts[1], texts[2], arguments);
    }

    private static String text(byte[] bytes, int start, int end) {
        if (end >= bytes.length) {
            throw new IllegalArgumentException("a request that ends within a text");
        }
        byte[] utf8 = new byte[end - start];
        System.arraycopy(bytes, start, utf8, 0, utf8.length);
        String text = Utf8.decode(utf8);
        if (text == null) {
            throw new IllegalArgumentException("a request with a text that is not UTF-8");
        }
        return text;
    }
}
