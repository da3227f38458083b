package io.carlos.control.ready;

import io.carlos.control.unit.SystemdException;
import io.carlos.control.unit.Unit;
import io.carlos.control.unit.UnitManager;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * One run of the probe unit. What goes wrong around it is a report of its own, which is not ready and says why: no error
 * and no old report ever looks like a proof.
 */
public final class Probe {
    private static final String SECRET_MODE = "rw-r-----";

    private final UnitManager systemd;
    private final Path secret;
    private final Path output;
    private final SecretOwner owner;

    /** Whose the file is that no tenant may read; only then does not reading it prove something. */
    public record SecretOwner(String user, String group) {}

    /**
     * @param secret the file that the probe must not be able to read
     * @param output where the probe's unit writes its report
     */
    public Probe(UnitManager systemd, Path secret, Path output, SecretOwner owner) {
        this.systemd = systemd;
        this.secret = secret;
        this.output = output;
        this.owner = owner;
    }

    public ProbeReport run() throws InterruptedException {
        try {
            checkSecret();
            // What is read below is then of this run, whatever systemd made of it.
            empty();
            systemd.start(Unit.PROBE);
            byte[] report = read();
            if (report.length == 0) {
                // The start may have joined a run that had written its report before the file was emptied.
                systemd.start(Unit.PROBE);
                report = read();
            }
            return ProbeReport.read(report);
        } catch (SystemdException e) {
            return ProbeReport.notReady("the probe was not run: " + e.getMessage());
        } catch (NoSuchFileException e) {
            return ProbeReport.notReady(e.getFile() + ": it is missing");
        } catch (IOException e) {
            return ProbeReport.notReady("the probe's files cannot be read: " + e.getMessage());
        }
    }

    private void checkSecret() throws IOException {
        PosixFileAttributes found = Files.readAttributes(secret, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String mode = PosixFilePermissions.toString(found.permissions());
        String user = found.owner().getName();
        String group = found.group().getName();
        if (!found.isRegularFile()
                || !mode.equals(SECRET_MODE)
                || !user.equals(owner.user())
                || !group.equals(owner.group())) {
            throw new IOException(secret + ": expected a file of " + owner.user() + ":" + owner.group() + " with mode "
                    + SECRET_MODE + ", found " + user + ":" + group + " " + mode
                    + (found.isRegularFile() ? "" : ", and no regular file"));
        }
    }

    /** In place: a probe that a control service before this one started still writes to the file, and not to its name. */
    private void empty() throws IOException {
        try {
            Files.newByteChannel(
                            output,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            LinkOption.NOFOLLOW_LINKS)
                    .close();
        } catch (NoSuchFileException e) {
            // systemd makes it.
        }
    }

    private byte[] read() throws IOException {
        Path directory = output.toAbsolutePath().getParent();
        Path name = output.getFileName();
        if (directory == null || name == null) {
            throw new IOException(output + ": expected a file in a directory");
        }
        try (Directory opened = Directory.open(directory);
                LinuxFile file = opened.openFile(name.toString())) {
            return file.readAll(ProbeReport.MAX_BYTES);
        }
    }
}
