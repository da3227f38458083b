package io.carlos.guest.rpc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What runs on this machine, each as one text with blanks between the arguments. */
final class CommandLines {
    private CommandLines() {}

    /** Those of the texts that somebody runs now. */
    static Set<String> running(String... wanted) throws IOException {
        Set<String> found = new TreeSet<>(List.of(wanted));
        found.retainAll(ofThisMachine());
        return found;
    }

    private static List<String> ofThisMachine() throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                found.add(read(process.resolve("cmdline")).replace('\0', ' ').strip());
            }
        }
        return found;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "ended meanwhile";
        }
    }
}
