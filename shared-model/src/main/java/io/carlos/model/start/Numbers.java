package io.carlos.model.start;

/** Four bytes as a number, the highest first. */
final class Numbers {
    private Numbers() {}

    static void put(byte[] bytes, int offset, int number) {
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[offset + i] = (byte) (number >> 24 - 8 * i);
        }
    }

    static int get(byte[] bytes, int offset) {
        int number = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            number = number << 8 | bytes[offset + i] & 0xff;
        }
        return number;
    }
}
