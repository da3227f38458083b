package io.carlos.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader of a real pipe who goes away while it waits. */
@Timeout(60)
class BorrowedInputTest {
    @TempDir
    private Path directory;

    @Test
    void whatComesWhileItIsOpenIsReadAndWhatComesLaterIsLeft() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        try (RandomAccessFile lender = new RandomAccessFile(pipe.toFile(), "rw");
                FileOutputStream out = new FileOutputStream(pipe.toFile())) {
            InputStream in = stream(lender);
            BorrowedInput borrowed = new BorrowedInput(in, descriptor(pipe));
            out.write('a');
            assertThat(borrowed.read()).isEqualTo('a');

            CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> readOne(borrowed));
            borrowed.close();
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(-1);
            out.write('b');

            assertThat(in.read()).isEqualTo('b');
        }
    }

    private static InputStream stream(RandomAccessFile file) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                return file.read();
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return file.read(buffer, offset, length);
            }
        };
    }

    private static int readOne(InputStream in) {
        try {
            return in.read();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of the first that this process has of the file. */
    private static int descriptor(Path file) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(link -> leadsTo(link, file))
                    .mapToInt(link -> Integer.parseInt(link.getFileName().toString()))
                    .min()
                    .orElseThrow();
        }
    }

    private static boolean leadsTo(Path link, Path file) {
        try {
            return Files.readSymbolicLink(link).equals(file);
        } catch (IOException e) {
            return false; // it was closed meanwhile
        }
    }
}
