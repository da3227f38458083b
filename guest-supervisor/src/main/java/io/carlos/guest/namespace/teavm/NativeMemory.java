package io.carlos.guest.namespace.teavm;

import io.carlos.model.text.CString;
import org.teavm.interop.Address;

/** Memory that the collector does not know, and so does not move. */
final class NativeMemory {
    /** The longest path that the kernel takes, with the NUL that ends it. */
    static final int PATH_BYTES = 4096;

    private NativeMemory() {}

    /** Never freed: the program that it is for takes this one's place, or this one ends. */
    static Address vector(byte[][] texts) {
        Address vector = zeroed(Long.BYTES * (texts.length + 1));
        for (int i = 0; i < texts.length; i++) {
            byte[] text = texts[i];
            Address copy = zeroed(text.length + 1);
            put(copy, text);
            vector.add((long) i * Long.BYTES).putAddress(copy);
        }
        return vector;
    }

    /** Of that many texts that lie one behind the other and end in NUL each; never freed either. */
    static Address vector(Address texts, int count) {
        Address vector = zeroed(Long.BYTES * (count + 1));
        Address text = texts;
        for (int i = 0; i < count; i++) {
            vector.add((long) i * Long.BYTES).putAddress(text);
            text = text.add(length(text, 1));
        }
        return vector;
    }

    /** How many bytes that many texts have that lie one behind the other, with their NULs. */
    static int length(Address texts, int count) {
        int length = 0;
        for (int i = 0; i < count; i++) {
            while (texts.add(length).getByte() != 0) {
                length++;
            }
            length++;
        }
        return length;
    }

    /** The bytes from an offset on; never freed either. */
    static Address copy(byte[] bytes, int start) {
        Address copy = zeroed(bytes.length - start);
        for (int i = start; i < bytes.length; i++) {
            copy.add(i - start).putByte(bytes[i]);
        }
        return copy;
    }

    /** Makes a text and the NUL that ends it the content of a buffer of {@link #PATH_BYTES}. */
    static void put(Address buffer, String text) {
        byte[] bytes = CString.of(text);
        if (bytes.length > PATH_BYTES) {
            throw new IllegalArgumentException("a path of over " + PATH_BYTES + " bytes: " + text);
        }
        put(buffer, bytes);
    }

    static void put(Address buffer, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            buffer.add(i).putByte(bytes[i]);
        }
    }

    static Address zeroed(int bytes) {
        return filled(bytes, 0);
    }

    static Address filled(int bytes, int value) {
        Address block = Libc.malloc(bytes);
        if (block.toLong() == 0) {
            throw new IllegalStateException("no memory for " + bytes + " bytes");
        }
        Address.fill(block, (byte) value, bytes);
        return block;
    }

    /** The bytes up to the NUL that ends them. */
    static byte[] bytes(Address text) {
        int length = 0;
        while (text.add(length).getByte() != 0) {
            length++;
        }
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = text.add(i).getByte();
        }
        return bytes;
    }
}
