package io.carlos.agent.container.microvm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.UnaryOperator;

/** The image in the cache, but for the script that its kernel executes first. */
final class ChangedInit {
    private static final Path INIT =
            Path.of("..", "deploy", "guest", "init").toAbsolutePath().normalize();

    private static final int REGULAR_EXECUTABLE = 0100755;
    private static final int ALIGNMENT = 4;

    private ChangedInit() {}

    /** @param directory where what differs is put */
    static GuestImage image(Path directory, UnaryOperator<String> change) throws IOException {
        GuestImage image = MicroVmWorld.image();
        String changed = change.apply(Files.readString(INIT));
        Path initramfs = directory.resolve("initramfs");
        Files.copy(image.initramfs(), initramfs);
        // The kernel unpacks one archive after another, and of two files of one name the later one stays.
        try (OutputStream file = Files.newOutputStream(initramfs, StandardOpenOption.APPEND)) {
            file.write(archive("init", changed.getBytes(StandardCharsets.UTF_8)));
        }
        return new GuestImage(image.kernel(), initramfs, image.rootFileSystem());
    }

    /** The script with some of its text replaced, which it must have. */
    static String replaced(String init, String text, String replacement) {
        if (!init.contains(text)) {
            throw new IllegalStateException(INIT + ": expected the text " + text);
        }
        return init.replace(text, replacement);
    }

    /** Of one file, in the kernel's format {@code newc}. */
    private static byte[] archive(String name, byte[] content) throws IOException {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        write(archive, name, REGULAR_EXECUTABLE, content);
        write(archive, "TRAILER!!!", 0, new byte[0]);
        return archive.toByteArray();
    }

    private static void write(ByteArrayOutputStream archive, String name, int mode, byte[] content) throws IOException {
        int[] fields = {1, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, name.length() + 1, 0};
        StringBuilder header = new StringBuilder("070701");
        for (int field : fields) {
            header.append("%08x".formatted(field));
        }
        archive.write(header.append(name).append('\0').toString().getBytes(StandardCharsets.US_ASCII));
        pad(archive);
        archive.write(content);
        pad(archive);
    }

    private static void pad(ByteArrayOutputStream archive) {
        while (archive.size() % ALIGNMENT != 0) {
            archive.write(0);
        }
    }
}
