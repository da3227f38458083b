package io.carlos.model.linux;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * File names as texts, without loss. Linux takes any bytes for a name; they are read as UTF-8, and a byte that is no
 * UTF-8 becomes the lone surrogate U+DC00 + byte, which no UTF-8 text holds. So whatever a directory lists can be named
 * again, whatever the locale of this process is.
 */
final class FileNames {
    private static final int ESCAPE_BASE = 0xdc00;
    private static final int FIRST_ESCAPE = ESCAPE_BASE + 0x80;
    private static final int LAST_ESCAPE = ESCAPE_BASE + 0xff;

    private FileNames() {}

    static String decode(byte[] bytes, int start, int end) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, start, end - start);
        CharBuffer out = CharBuffer.allocate(end - start);
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            if (result.isUnderflow()) {
                return out.flip().toString();
            }
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (ESCAPE_BASE + (in.get() & 0xff)));
            }
            decoder.reset();
        }
    }

    /** Whether the text has no surrogate but those in pairs and those that stand for a byte. */
    static boolean isEncodable(String text) {
        return text.codePoints()
                .allMatch(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE || isEscape(c));
    }

    /** The bytes of a name or path and the NUL that ends them for the kernel. */
    static byte[] terminated(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 16);
        int start = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (isEscape(c)) {
                out.writeBytes(text.substring(start, i).getBytes(StandardCharsets.UTF_8));
                out.write(c - ESCAPE_BASE);
                start = i + 1;
            }
        }
        out.writeBytes(text.substring(start).getBytes(StandardCharsets.UTF_8));
        out.write(0);
        return out.toByteArray();
    }

    private static boolean isEscape(int codePoint) {
        return codePoint >= FIRST_ESCAPE && codePoint <= LAST_ESCAPE;
    }
}
