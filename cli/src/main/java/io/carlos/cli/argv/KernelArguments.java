package io.carlos.cli.argv;

import io.carlos.cli.console.Printable;
import io.carlos.cli.exit.CliException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of this process as text. The JVM decodes them by the locale and puts U+FFFD where it cannot; since a command that is not
 * what the user wrote must not run, such a line is read again from the kernel, as UTF-8.
 */
public final class KernelArguments {
    private static final char REPLACEMENT = '\ufffd';

    private KernelArguments() {}

    /** @throws CliException an argument is not UTF-8 */
    public static List<String> of(String[] decoded) {
        List<String> arguments = List.of(decoded);
        if (arguments.stream().allMatch(argument -> argument.indexOf(REPLACEMENT) < 0)) {
            return arguments;
        }
        try {
            return decode(Files.readAllBytes(Path.of("/proc/self/cmdline")), decoded.length);
        } catch (IOException e) {
            throw CliException.usage(
                    "the arguments are not in the character encoding of the locale; run carlos with LC_ALL=C.UTF-8");
        }
    }

    /**
     * The last words of a command line.
     *
     * @param commandLine the words, each ended by a NUL byte
     */
    static List<String> decode(byte[] commandLine, int count) {
        List<ByteBuffer> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < commandLine.length; i++) {
            if (commandLine[i] == 0) {
                words.add(ByteBuffer.wrap(commandLine, start, i - start));
                start = i + 1;
            }
        }
        return words.subList(words.size() - count, words.size()).stream()
                .map(KernelArguments::decodeWord)
                .toList();
    }

    private static String decodeWord(ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
        } catch (CharacterCodingException _) {
            throw CliException.usage("the argument \""
                    + Printable.of(StandardCharsets.UTF_8.decode(bytes).toString())
                    + "\" is not UTF-8; write it so, and keep other bytes in files");
        }
    }
}
