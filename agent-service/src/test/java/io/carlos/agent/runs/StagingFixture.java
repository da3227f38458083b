package io.carlos.agent.runs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.linux.Directory;
import io.carlos.model.names.InputFileName;
import io.carlos.model.runs.InputFile;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An instance's directory to stage into, beside one that nothing must ever reach. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class StagingFixture {
    static final RunId RUN = RunId.of("run_" + "a".repeat(26));
    static final RunId OTHER_RUN = RunId.of("run_" + "b".repeat(26));

    @TempDir
    Path temporary;

    Path outside;
    Path instance;
    Path runs;
    Path run;
    Directory data;
    Staging staging;

    @BeforeEach
    void openInstance() throws IOException {
        outside = Files.createDirectory(temporary.resolve("outside"));
        Files.createDirectory(outside.resolve(RUN.value()));
        Files.writeString(outside.resolve(RUN.value()).resolve("kept"), "kept");
        instance = Files.createDirectory(temporary.resolve("instance"));
        runs = instance.resolve(".carlos-run");
        run = runs.resolve(RUN.value());
        data = Directory.open(instance);
        staging = new Staging(data);
    }

    @AfterEach
    void nothingOutsideWasTouched() throws IOException {
        data.close();
        assertThat(outside.toFile().list()).containsExactly(RUN.value());
        assertThat(outside.resolve(RUN.value()).toFile().list()).containsExactly("kept");
        assertThat(outside.resolve(RUN.value()).resolve("kept")).hasContent("kept");
    }

    static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    static StagedInput input(String name, String content) {
        return input(name, bytes(content));
    }

    static StagedInput input(String name, byte[] content) {
        return new StagedInput(described(name, content), () -> content);
    }

    static InputFile described(String name, byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return new InputFile(
                    InputFileName.of(name), content.length, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] bytes(String content) {
        return content.getBytes(UTF_8);
    }
}
