package io.carlos.agent.launch.unit;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.ExitRecord;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.files.StatusFile;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import io.carlos.model.linux.WrongFileTypeException;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files by which a command's unit is told what to run and tells how that ended. They are in the directories of an
 * instance, where its tenant can put, change and remove anything at any time: no link is followed, and what is read is
 * what the tenant wants it to be.
 */
final class CommandFiles {
    private static final Logger log = LoggerFactory.getLogger(CommandFiles.class);
    private static final String LAUNCH = LaunchFile.fileName(Role.CMD);
    private static final String NEW_LAUNCH = "." + LAUNCH + ".new";
    private static final int FILE_MODE = 0600;

    /** What opening a file answers for things that only a tenant puts there. */
    private static final Set<Errno> TENANTS_DOING = Set.of(Errno.ELOOP, Errno.EACCES, Errno.EPERM, Errno.ENXIO);

    private final Path data;
    private final Path run;

    CommandFiles(BoxPaths paths, InstanceId id) {
        this.data = paths.instanceData(id);
        this.run = paths.instanceRun(id);
    }

    /** Puts the launch file in place, whole or not at all. */
    void writeLaunch(LaunchFile launch) throws IOException {
        byte[] content = launch.toBytes();
        try (Directory directory = Directory.open(data)) {
            directory.removeTree(NEW_LAUNCH);
            try (LinuxFile file = directory.createFile(NEW_LAUNCH, FILE_MODE)) {
                file.write(content);
            }
            directory.rename(NEW_LAUNCH, directory, LAUNCH);
        }
    }

    /**
     * What the command's program says of its end. To be asked when nobody of the unit is left who could write it.
     *
     * @return empty when there is no file
     * @throws InvalidDocumentException when there is something that is no status file of this invocation
     * @throws IOException when the box could not read it
     */
    Optional<StatusFile> status(InvocationId invocation) throws IOException {
        String name = StatusFile.fileName(Role.CMD, invocation);
        try (Directory directory = Directory.open(run);
                LinuxFile file = directory.openFile(name)) {
            if (file.size() > StatusFile.MAX_BYTES) {
                throw new InvalidDocumentException(name, "it has over " + StatusFile.MAX_BYTES + " bytes");
            }
            StatusFile status = StatusFile.read(file.readAll(StatusFile.MAX_BYTES));
            if (!status.invocation().equals(invocation)) {
                throw new InvalidDocumentException(name, "it is of another invocation");
            }
            return Optional.of(status);
        } catch (WrongFileTypeException e) {
            throw new InvalidDocumentException(name, "it is no regular file", e);
        } catch (LinuxException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            for (Errno errno : TENANTS_DOING) {
                if (e.is(errno)) {
                    throw new InvalidDocumentException(name, "it cannot be opened (" + errno + ")", e);
                }
            }
            throw e;
        }
    }

    /** The next command writes its own; one that stays is in nobody's way. */
    void removeLaunch() {
        remove(data, NEW_LAUNCH);
        remove(data, LAUNCH);
    }

    /** They are named after the invocation; one that stays is in nobody's way. */
    void removeEnd(InvocationId invocation) {
        remove(run, StatusFile.fileName(Role.CMD, invocation));
        remove(run, ExitRecord.fileName(Role.CMD, invocation));
    }

    private static void remove(Path parent, String name) {
        try (Directory directory = Directory.open(parent)) {
            directory.removeTree(name);
        } catch (IOException e) {
            log.warn("launch: not removed: {}: {}", parent.resolve(name), e.getMessage());
        }
    }
}
