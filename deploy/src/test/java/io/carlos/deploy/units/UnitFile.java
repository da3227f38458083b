package io.carlos.deploy.units;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A unit's file, as far as {@code systemd.syntax(7)} goes without continued lines, which no unit here has.
 *
 * @param name the file's name, such as {@code carlos-instance@.service}
 */
record UnitFile(String name, String text, List<Setting> settings) {
    private static final Path DIRECTORY = Path.of("systemd");

    /** One assignment, in the order of the file. */
    record Setting(String section, String key, String value) {}

    static UnitFile parse(String name, String text) {
        List<Setting> settings = new ArrayList<>();
        String section = "";
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.startsWith("[")) {
                section = line.substring(1, line.length() - 1);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                int equals = line.indexOf('=');
                if (equals < 0 || section.isEmpty() || line.endsWith("\\")) {
                    throw new IllegalArgumentException(name + ": no assignment in a section: " + line);
                }
                settings.add(new Setting(section, line.substring(0, equals), line.substring(equals + 1)));
            }
        }
        return new UnitFile(name, text, List.copyOf(settings));
    }

    static UnitFile of(String name) {
        try {
            return parse(name, Files.readString(DIRECTORY.resolve(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every unit that is installed. */
    static List<UnitFile> all() {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.map(file -> of(file.getFileName().toString())).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The values of every assignment, where an empty one takes back those before it. */
    List<String> values(String key) {
        List<String> values = new ArrayList<>();
        for (Setting setting : settings) {
            if (setting.key().equals(key)) {
                if (setting.value().isEmpty()) {
                    values.clear();
                } else {
                    values.add(setting.value());
                }
            }
        }
        return values;
    }

    /** The words of a setting that takes a list. */
    List<String> words(String key) {
        return values(key).stream()
                .flatMap(value -> Arrays.stream(value.split(" +")))
                .toList();
    }

    boolean has(String key) {
        return settings.stream().anyMatch(setting -> setting.key().equals(key));
    }

    /** Whether the file has exactly this line, {@code Key=value}. */
    boolean hasLine(String line) {
        return settings.stream().anyMatch(setting -> (setting.key() + "=" + setting.value()).equals(line));
    }

    @Override
    public String toString() {
        return name;
    }
}
