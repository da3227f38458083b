package io.carlos.agent.container.microvm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An image whose supervisor any command may kill. Process 1 takes no signal that it does not want, and least of all from
 * others' processes; here root kills it as a fault of its own would.
 */
final class MortalSupervisor {
    /** A script for a shell in the guest. */
    static final String KILL = "echo now >/run/kill; sleep 3912";

    private static final Path INIT =
            Path.of("..", "deploy", "guest", "init").toAbsolutePath().normalize();
    /** All is mounted, and the devices that a shell needs for what it runs beside itself are still its own. */
    private static final String PLACE = "\nfor kernel in proc sys dev; do\n";

    private static final String KILLER = """

            busybox mkfifo -m 666 "$root/run/kill"
            exec 7<>"$root/run/kill"
            (read -r now <&7; kill -SEGV 1) &
            exec 7>&-
            """;

    private static final int REGULAR_EXECUTABLE = 0100755;
    private static final int ALIGNMENT = 4;

    private MortalSupervisor() {}

    static GuestImage image(Path directory) throws IOException {
        GuestImage image = MicroVmWorld.image();
        String init = Files.readString(INIT);
        String changed = init.replace(PLACE, KILLER + PLACE);
        if (changed.equals(init)) {
            throw new IllegalStateException(INIT + ": expected the line" + PLACE);
        }
        Path initramfs = directory.resolve("initramfs");
        Files.copy(image.initramfs(), initramfs);
        // The kernel unpacks one archive after another, and of two files of one name the later one stays.
        try (OutputStream file = Files.newOutputStream(initramfs, StandardOpenOption.APPEND)) {
            file.write(archive("init", changed.getBytes(StandardCharsets.UTF_8)));
        }
        return new GuestImage(image.kernel(), initramfs, image.rootFileSystem());
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
