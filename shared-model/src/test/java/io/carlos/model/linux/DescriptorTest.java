package io.carlos.model.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorTest {
    @TempDir
    Path path;

    @Test
    void numberStaysOpenUntilTheLastUseEnds() throws IOException {
        Descriptor descriptor = open();
        Descriptor.Use use = descriptor.use();
        Descriptor.Use secondUse = descriptor.use();

        descriptor.close();
        use.close();
        assertThat(isOpen(use.number())).isTrue();

        secondUse.close();
        assertThat(isOpen(use.number())).isFalse();
    }

    @Test
    void secondCloseClosesNoFileThatGotTheNumberMeanwhile() throws IOException {
        Descriptor descriptor = open();
        descriptor.close();

        try (Descriptor next = open()) {
            descriptor.close();

            assertThat(next.status().type()).isEqualTo(FileType.DIRECTORY);
        }
    }

    @Test
    void useAfterCloseIsRefused() throws IOException {
        Descriptor descriptor = open();
        descriptor.close();

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(descriptor::use);
    }

    @Test
    void numberThatIsNotOpenIsAnError() {
        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> Descriptor.adopt(1_000_000, "never opened").close())
                .withMessage("close: never opened: EBADF: not an open descriptor of this kind");
    }

    @Test
    void childProcessDoesNotGetIt() throws IOException {
        try (Descriptor descriptor = open();
                Descriptor.Use use = descriptor.use()) {
            String flags = Files.readString(Path.of("/proc/self/fdinfo/" + use.number()));

            assertThat(flags).containsPattern("flags:\\s+02[0-7]{6}");
        }
    }

    private Descriptor open() throws LinuxException {
        return Descriptor.open(Libc.AT_FDCWD, path.toString(), OpenHow.TRUSTED_DIRECTORY, path.toString());
    }

    private static boolean isOpen(int number) {
        return Files.exists(Path.of("/proc/self/fd/" + number));
    }
}
