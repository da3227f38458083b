package io.carlos.model.runs;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.InputFileName;
import io.carlos.store.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Where the objects of one run are: everything under {@code runs/<account>/<app>/<run id>/}. */
public record RunKeys(Account account, App app, RunId id) {
    /** The highest seq that a chunk's name has room for. */
    public static final long MAX_SEQ = 9_999_999_999L;

    private static final int SEQ_DIGITS = 10;
    private static final String ENCODED_NAME = "_x.";
    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

    public ObjectKey request() {
        return key("request.json");
    }

    public ObjectKey result() {
        return key("result.json");
    }

    /**
     * The key of an input file. A name that is a segment as it stands is used so; any other (a blank, an accent, or the
     * mark itself) becomes {@code _x.} and the base32 of its UTF-8 bytes, so that two names never share a key.
     */
    public ObjectKey input(InputFileName name) {
        boolean plain = !name.value().startsWith(ENCODED_NAME);
        for (int i = 0; plain && i < name.value().length(); i++) {
            plain = ObjectKey.isKeyCharacter(name.value().charAt(i));
        }
        return key("in/" + (plain ? name.value() : ENCODED_NAME + base32(name.value())));
    }

    /** @param seq from 1, at most ten digits */
    public ObjectKey chunk(long seq, OutputChannel channel) {
        if (seq < 1 || seq > MAX_SEQ) {
            throw new IllegalArgumentException("a chunk's seq is 1 to " + MAX_SEQ + ", not " + seq);
        }
        return key("out/" + padded(seq) + "-" + channel.letter());
    }

    /** What the key of every chunk of this run begins with. */
    public String chunkPrefix() {
        return prefix() + "out/";
    }

    /** A text after the keys of chunk {@code seq} and before those of the next, to list from there. */
    public String afterChunk(long seq) {
        return chunkPrefix() + padded(seq) + "-z";
    }

    /** The chunk that a key below {@link #chunkPrefix} names; empty when it names none. */
    public Optional<ChunkName> parseChunk(ObjectKey key) {
        String prefix = chunkPrefix();
        String name = key.value().startsWith(prefix) ? key.value().substring(prefix.length()) : "";
        if (name.length() != SEQ_DIGITS + 2 || name.charAt(SEQ_DIGITS) != '-') {
            return Optional.empty();
        }
        long seq = 0;
        for (int i = 0; i < SEQ_DIGITS; i++) {
            char c = name.charAt(i);
            if (c < '0' || c > '9') {
                return Optional.empty();
            }
            seq = seq * 10 + (c - '0');
        }
        char letter = name.charAt(SEQ_DIGITS + 1);
        for (OutputChannel channel : OutputChannel.values()) {
            if (channel.letter() == letter && seq > 0) {
                return Optional.of(new ChunkName(seq, channel));
            }
        }
        return Optional.empty();
    }

    /** Whether a key is that of some run's chunk, as far as its segments tell. */
    public static boolean namesChunk(ObjectKey key) {
        String[] segments = key.value().split("/", -1);
        return segments.length == 6 && segments[0].equals("runs") && segments[4].equals("out");
    }

    /** Which chunk of a run: its place in the order of both streams, and its stream. */
    public record ChunkName(long seq, OutputChannel channel) {}

    private String prefix() {
        return "runs/" + account + "/" + app + "/" + id + "/";
    }

    private ObjectKey key(String name) {
        return ObjectKey.of(prefix() + name);
    }

    private static String padded(long seq) {
        String digits = Long.toString(seq);
        return "0".repeat(SEQ_DIGITS - digits.length()) + digits;
    }

    private static String base32(String text) {
        StringBuilder out = new StringBuilder();
        int bits = 0;
        int held = 0;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            held = (held << 8 | (b & 0xff)) & 0xffff;
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                out.append(BASE32.charAt(held >> bits & 31));
            }
        }
        if (bits > 0) {
            out.append(BASE32.charAt(held << (5 - bits) & 31));
        }
        return out.toString();
    }
}
