package io.carlos.model.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountTableTest {
    @Test
    void lineWithOptionalFieldsIsRead() throws IOException {
        assertThat(only("36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:2 - ext3 /dev/root rw,errors=continue"))
                .isEqualTo(new Mount(
                        36,
                        35,
                        "/mnt1",
                        "/mnt2",
                        Set.of("rw", "noatime"),
                        "ext3",
                        "/dev/root",
                        Set.of("rw", "errors=continue")));
    }

    @Test
    void lineWithoutOptionalFieldsIsRead() throws IOException {
        assertThat(only("22 27 0:21 / /proc rw,nosymfollow - proc proc rw"))
                .matches(Mount::isNoSymFollow)
                .matches(mount -> mount.point().equals("/proc"));
    }

    @Test
    void octalEscapesStandForBytes() throws IOException {
        assertThat(only("1 2 0:1 / /a\\040b\\011c\\012d\\134e rw - tmpfs no\\040device rw"))
                .matches(mount -> mount.point().equals("/a b\tc\nd\\e"))
                .matches(mount -> mount.source().equals("no device"));
    }

    @Test
    void bytesThatAreUtf8AreText() throws IOException {
        assertThat(only("1 2 0:1 / /é rw - tmpfs none rw").point()).isEqualTo("/é");
    }

    @Test
    void emptySourceIsRead() throws IOException {
        assertThat(only("1 2 0:1 / /a rw - tmpfs  rw").source()).isEmpty();
    }

    @Test
    void readOnlyIsTheMountOrItsFileSystem() throws IOException {
        assertThat(only("1 2 0:1 / /a ro - tmpfs none rw").isReadOnly()).isTrue();
        assertThat(only("1 2 0:1 / /a rw - tmpfs none ro").isReadOnly()).isTrue();
        assertThat(only("1 2 0:1 / /a rw - tmpfs none rw").isReadOnly()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "1 2 0:1 / /a rw tmpfs none rw",
                "1 2 0:1 / /a rw - tmpfs none",
                "one 2 0:1 / /a rw - tmpfs none rw",
                "1 2 0:1 / /a\\09z rw - tmpfs none rw"
            })
    void malformedLineIsRefused(String line) {
        assertThatIOException().isThrownBy(() -> only(line)).withMessageContaining(line);
    }

    @Test
    void mountOfAPathIsTheOneItIsOn() throws IOException {
        assertThat(MountTable.read().mountOf(Path.of("/proc/self/status")))
                .hasValueSatisfying(mount -> assertThat(mount.point()).isEqualTo("/proc"));
    }

    @Test
    void mountOfAPathThatIsNotThereIsAnError() throws IOException {
        MountTable table = MountTable.read();

        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> table.mountOf(Path.of("/nowhere/at/all")))
                .matches(e -> e.is(Errno.ENOENT));
    }

    @Test
    void bindMountIsFoundWithItsOptions(@TempDir Path temporary) throws IOException {
        Path source = Files.createDirectory(temporary.resolve("source"));
        Path target = Files.createDirectory(temporary.resolve("a b\\c"));
        try (RootLane.Mounted mounted = RootLane.bind(source, target)) {
            assertThat(mountOf(target))
                    .matches(mount -> mount.point().equals(target.toString()))
                    .matches(mount -> !mount.isNoSymFollow());
            mounted.forbidLinks();
            assertThat(mountOf(target)).matches(Mount::isNoSymFollow);
            assertThat(mountOf(source)).matches(mount -> !mount.isNoSymFollow());
        }
    }

    private static Mount mountOf(Path path) throws IOException {
        return MountTable.read().mountOf(path).orElseThrow();
    }

    private static Mount only(String line) throws IOException {
        return MountTable.parse((line + "\n").getBytes(UTF_8)).mounts().getFirst();
    }
}
