package io.carlos.agent.logs;

import java.nio.charset.StandardCharsets;

/** Cuts bytes into lines of at most {@value #MAX_LINE_BYTES} bytes. Not for several threads. */
final class LineSplitter {
    static final int MAX_LINE_BYTES = 8 * 1024;

    private final byte[] line = new byte[MAX_LINE_BYTES];
    private final Lines lines;
    private int length;

    /** Takes the lines. */
    @FunctionalInterface
    interface Lines {
        /** @param continues whether the line was too long, and this is not its last part */
        void line(String text, boolean continues);
    }

    LineSplitter(Lines lines) {
        this.lines = lines;
    }

    void write(byte[] bytes, int offset, int count) {
        for (int i = offset; i < offset + count; i++) {
            if (bytes[i] == '\n') {
                emit(length, false);
            } else {
                if (length == MAX_LINE_BYTES) {
                    emit(cut(), true);
                }
                line[length++] = bytes[i];
            }
        }
    }

    /** Gives what is left as a line, if anything is. */
    void end() {
        if (length > 0) {
            emit(length, false);
        }
    }

    /** Where a full line is cut: not inside of a character, as far as these are characters. */
    private int cut() {
        int start = length - 1;
        while (start > length - 4 && (line[start] & 0xc0) == 0x80) {
            start--;
        }
        return start + characterLength(line[start]) > length ? start : length;
    }

    private static int characterLength(byte first) {
        int leadingOnes = Integer.numberOfLeadingZeros(~(first << 24));
        return leadingOnes >= 2 && leadingOnes <= 4 ? leadingOnes : 1;
    }

    private void emit(int count, boolean continues) {
        lines.line(new String(line, 0, count, StandardCharsets.UTF_8), continues);
        length -= count;
        System.arraycopy(line, count, line, 0, length);
    }
}
