package io.carlos.store.directory;

import io.carlos.store.ObjectKey;

/**
 * Where a key's value is, beneath the directory of all objects. Every segment but the last is a directory, and the last
 * is a file with {@code =} behind it, which no key has in it, so that {@code a} and {@code a/b} stand side by side as
 * {@code a=} and {@code a/b=}. A last segment of 255 bytes leaves no room for that: its file is {@code =} in a directory of
 * the segment's name.
 *
 * @param directory names joined by slashes; empty for the directory of all objects itself
 * @param file one name
 */
record ObjectPath(String directory, String file) {
    static final char MARK = '=';

    /** The file of the key whose last segment is the directory that the file is in. */
    static final String OWN_FILE = String.valueOf(MARK);

    static ObjectPath of(ObjectKey key) {
        String text = key.value();
        int slash = text.lastIndexOf('/');
        String segment = text.substring(slash + 1);
        if (segment.length() == ObjectKey.MAX_SEGMENT_BYTES) {
            return new ObjectPath(text, OWN_FILE);
        }
        return new ObjectPath(text.substring(0, Math.max(0, slash)), segment + MARK);
    }

    String whole() {
        return directory.isEmpty() ? file : directory + "/" + file;
    }
}
