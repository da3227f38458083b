package io.carlos.deploy.packaging;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * A Debian package, as far as deb(5) goes with members compressed by gzip.
 *
 * @param control the files of the package manager by name
 * @param entries what is installed, in order
 */
record DebianPackage(Map<String, Entry> control, List<Entry> entries) {
    private static final int AR_HEADER_BYTES = 60;
    private static final int TAR_BLOCK_BYTES = 512;

    /**
     * A member of a tar archive.
     *
     * @param path absolute, a directory's without a slash at its end
     * @param type as in tar: {@code 0} a file, {@code 2} a symbolic link, {@code 5} a directory
     * @param target a link's
     */
    record Entry(String path, char type, int mode, String user, String group, String target, byte[] content) {
        boolean isFile() {
            return type == '0';
        }

        boolean isLink() {
            return type == '2';
        }

        boolean isDirectory() {
            return type == '5';
        }

        String text() {
            return new String(content, StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return path + " " + Integer.toOctalString(mode) + " " + user + ":" + group;
        }
    }

    static DebianPackage read(Path file) throws IOException {
        Map<String, Entry> control = new TreeMap<>();
        List<Entry> entries = List.of();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            in.skipNBytes("!<arch>\n".length());
            for (byte[] header = in.readNBytes(AR_HEADER_BYTES);
                    header.length == AR_HEADER_BYTES;
                    header = in.readNBytes(AR_HEADER_BYTES)) {
                String name = text(header, 0, 16).strip().replace("/", "");
                int size = Integer.parseInt(text(header, 48, 10).strip());
                byte[] content = in.readNBytes(size);
                in.skipNBytes(size % 2);
                switch (name) {
                    case "control.tar.gz" -> untar(content).forEach(entry -> control.put(entry.path(), entry));
                    case "data.tar.gz" -> entries = untar(content);
                    case "debian-binary" -> {}
                    default -> throw new IOException(file + ": unexpected member " + name);
                }
            }
        }
        return new DebianPackage(control, entries);
    }

    Entry entry(String path) {
        return entries.stream()
                .filter(entry -> entry.path().equals(path))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the package has no " + path));
    }

    private static List<Entry> untar(byte[] compressed) throws IOException {
        List<Entry> entries = new ArrayList<>();
        String longName = null;
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            for (byte[] header = in.readNBytes(TAR_BLOCK_BYTES);
                    header.length == TAR_BLOCK_BYTES && header[0] != 0;
                    header = in.readNBytes(TAR_BLOCK_BYTES)) {
                int size = octal(header, 124, 12);
                byte[] content = in.readNBytes(size);
                in.skipNBytes(Math.floorMod(-size, TAR_BLOCK_BYTES));
                char type = (char) header[156];
                if (type == 'L') {
                    longName = text(content, 0, content.length);
                    continue;
                }
                String name = longName == null ? text(header, 0, 100) : longName;
                longName = null;
                entries.add(new Entry(
                        name.replaceFirst("^\\.?/?", "/").replaceFirst("(?<=.)/$", ""),
                        type,
                        octal(header, 100, 8),
                        text(header, 265, 32),
                        text(header, 297, 32),
                        text(header, 157, 100),
                        content));
            }
        }
        return entries;
    }

    private static int octal(byte[] bytes, int offset, int length) {
        return Integer.parseInt(text(bytes, offset, length).strip(), 8);
    }

    /** Up to the first NUL. */
    private static String text(byte[] bytes, int offset, int length) {
        int end = offset;
        while (end < offset + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, offset, end - offset, StandardCharsets.UTF_8);
    }
}
