package io.carlos.model.names;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * One life of a host's record, as 64 lower-case hex digits: a host deleted and created again is another incarnation.
 *
 * <p>It is the SHA-256 of four parts, in this order: account, app, host, and the record's creation instant. Each part is
 * the number of its bytes, in four bytes, most significant first, and then its UTF-8 bytes. The instant is written as in
 * RFC 3339, in UTC with {@code Z}, and has no fraction of a second or 3, 6 or 9 digits of one, the fewest that are exact:
 * {@code 2026-07-01T09:30:00Z}, {@code 2026-07-01T09:30:00.250Z}.
 */
public record Incarnation(String value) {
    private static final int LENGTH = 64;

    /** @throws InvalidNameException when the text is no incarnation */
    public Incarnation {
        boolean valid = value.length() == LENGTH;
        for (int i = 0; valid && i < value.length(); i++) {
            char c = value.charAt(i);
            valid = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        }
        if (!valid) {
            throw new InvalidNameException("an incarnation", value, "it is 64 lower-case hex digits");
        }
    }

    public static Incarnation of(String value) {
        return new Incarnation(value);
    }

    public static Incarnation of(Account account, App app, Host host, Instant createdAt) {
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        append(parts, account.value());
        append(parts, app.value());
        append(parts, host.value());
        append(parts, createdAt.toString());
        return new Incarnation(Sha256.hex(parts.toByteArray()));
    }

    private static void append(ByteArrayOutputStream parts, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        parts.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        parts.writeBytes(bytes);
    }

    @Override
    public String toString() {
        return value;
    }
}
