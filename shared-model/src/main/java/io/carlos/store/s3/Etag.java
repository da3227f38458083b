package io.carlos.store.s3;

/** Etags as callers of the store see them: without the quotes that some servers and some calls put around them. */
final class Etag {
    private Etag() {}

    static String unquoted(String header) {
        boolean quoted = header.length() >= 2 && header.startsWith("\"") && header.endsWith("\"");
        return quoted ? header.substring(1, header.length() - 1) : header;
    }

    static String quoted(String etag) {
        return '"' + unquoted(etag) + '"';
    }

    /**
     * Whether a server can have given this etag. What it cannot have given is not sent to it: a star means "whatever is
     * there" to some servers even between quotes.
     */
    static boolean isPossible(String etag) {
        String bare = unquoted(etag);
        return !bare.isEmpty()
                && !bare.equals("*")
                && bare.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\' && c != ',');
    }
}
