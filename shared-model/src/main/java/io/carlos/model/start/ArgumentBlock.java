package io.carlos.model.start;

import io.carlos.model.text.CString;
import java.util.List;

/**
 * A program's arguments and environment in one piece: an object for each of hundreds of thousands is more than the
 * compiled program's memory takes.
 *
 * @param bytes not copied: texts that end in NUL each, the arguments first and then the variables, {@code KEY=value} each
 * @param start where they start; they go on to the end
 * @param arguments how many, at least one
 * @param variables how many
 */
@SuppressWarnings("ArrayRecordComponent")
public record ArgumentBlock(byte[] bytes, int start, int arguments, int variables) {
    /** @throws IllegalArgumentException when there are not as many texts as said */
    public ArgumentBlock {
        int ends = 0;
        for (int i = start; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                ends++;
            }
        }
        boolean whole = start < bytes.length && bytes[bytes.length - 1] == 0;
        if (arguments < 1 || variables < 0 || (long) arguments + variables != ends || !whole) {
            throw new IllegalArgumentException("not arguments and variables: expected " + arguments + " and "
                    + variables + " texts that end in NUL, found " + ends);
        }
    }

    public static ArgumentBlock of(List<String> arguments, List<String> variables) {
        byte[][] texts = new byte[arguments.size() + variables.size()][];
        int length = 0;
        for (int i = 0; i < texts.length; i++) {
            texts[i] = CString.of(i < arguments.size() ? arguments.get(i) : variables.get(i - arguments.size()));
            length += texts[i].length;
        }
        byte[] bytes = new byte[length];
        int end = 0;
        for (byte[] text : texts) {
            System.arraycopy(text, 0, bytes, end, text.length);
            end += text.length;
        }
        return new ArgumentBlock(bytes, 0, arguments.size(), variables.size());
    }

    /** Of all texts with the NULs that end them. */
    public int length() {
        return bytes.length - start;
    }

    /** The first argument, without the NUL that ends it. */
    public byte[] name() {
        int end = start;
        while (bytes[end] != 0) {
            end++;
        }
        byte[] name = new byte[end - start];
        System.arraycopy(bytes, start, name, 0, name.length);
        return name;
    }
}
