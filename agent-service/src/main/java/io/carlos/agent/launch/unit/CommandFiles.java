package io.carlos.agent.launch.unit;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.ExitRecord;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.files.StatusFile;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.FileType;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import io.carlos.model.linux.WrongFileTypeException;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files by which a command's unit is told what to run and tells how that ended. They are in the directories of an
 * instance, where its tenant can put, change and remove anything at any time: no link is followed, what is read is what the
 * tenant wants it to be, and a directory in the place of a file is left alone, since one that the tenant goes on filling
 * cannot be removed.
 */
final class CommandFiles {
    private static final Logger log = LoggerFactory.getLogger(CommandFiles.class);
    private static final String LAUNCH = LaunchFile.fileName(Role.CMD);
    private static final String STATUS_PREFIX = "status." + Role.CMD.wireName() + ".";
    private static final String EXIT_PREFIX = "exit." + Role.CMD.wireName() + ".";
    private static final int FILE_MODE = 0600;

    /** What opening a file answers for things that only a tenant puts there. */
    private static final Set<Errno> TENANTS_DOING =
            Set.of(Errno.ELOOP, Errno.EACCES, Errno.EPERM, Errno.ENXIO, Errno.EAGAIN);

    private final Path data;
    private final Path run;

    CommandFiles(BoxPaths paths, InstanceId id) {
        this.data = paths.instanceData(id);
        this.run = paths.instanceRun(id);
    }

    /**
     * Puts the launch file in place, whole or not at all.
     *
     * @throws IOException also when a directory stands in its place
     */
    void writeLaunch(LaunchFile launch) throws IOException {
        byte[] content = launch.toBytes();
        // A name that the tenant cannot know: it could put something in the place of any other.
        String fresh = "." + LAUNCH + "." + UUID.randomUUID();
        try (Directory directory = Directory.open(data)) {
            try {
                try (LinuxFile file = directory.createFile(fresh, FILE_MODE)) {
                    file.write(content);
                }
                directory.rename(fresh, directory, LAUNCH);
            } catch (IOException e) {
                unlink(directory, fresh);
                throw e;
            }
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
            byte[] content = new byte[StatusFile.MAX_BYTES + 1];
            int length = file.read(content, 0, content.length);
            if (length > StatusFile.MAX_BYTES) {
                throw new InvalidDocumentException(name, "it has over " + StatusFile.MAX_BYTES + " bytes");
            }
            StatusFile status = StatusFile.read(Arrays.copyOf(content, length));
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

    /**
     * Which invocation has written a status file since {@link #removeEnds}: one whose program was executed, or was refused
     * by its own box.
     */
    Optional<InvocationId> begun() throws IOException {
        try (Directory directory = Directory.open(run)) {
            for (String name : directory.list()) {
                Optional<InvocationId> invocation = invocation(name);
                if (invocation.isPresent() && isFile(directory, name)) {
                    return invocation;
                }
            }
            return Optional.empty();
        }
    }

    private static boolean isFile(Directory directory, String name) throws LinuxException {
        return directory
                .status(name)
                .filter(status -> status.type() == FileType.REGULAR)
                .isPresent();
    }

    private static Optional<InvocationId> invocation(String name) {
        if (!name.startsWith(STATUS_PREFIX)) {
            return Optional.empty();
        }
        try {
            InvocationId invocation =
                    InvocationId.of(name.substring(STATUS_PREFIX.length()).replaceFirst("\\.json$", ""));
            return Optional.of(invocation)
                    .filter(id -> StatusFile.fileName(Role.CMD, id).equals(name));
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }

    /** Removes what tells of the ends of earlier commands, so that what is there later is of a later one. */
    void removeEnds() throws IOException {
        try (Directory directory = Directory.open(run)) {
            for (String name : directory.list()) {
                if (name.startsWith(STATUS_PREFIX) || name.startsWith(EXIT_PREFIX)) {
                    unlink(directory, name);
                }
            }
        }
    }

    /** A start of the unit that comes after it finds nothing to execute. The next command writes its own. */
    void removeLaunch() {
        remove(data, LAUNCH);
    }

    /** They are named after the invocation; one that stays is in nobody's way. */
    void removeEnd(InvocationId invocation) {
        remove(run, StatusFile.fileName(Role.CMD, invocation));
        remove(run, ExitRecord.fileName(Role.CMD, invocation));
    }

    private static void remove(Path parent, String name) {
        try (Directory directory = Directory.open(parent)) {
            unlink(directory, name);
        } catch (IOException e) {
            log.warn("launch: not removed: {}: {}", parent.resolve(name), e.getMessage());
        }
    }

    private static void unlink(Directory directory, String name) throws LinuxException {
        try {
            directory.unlink(name);
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOENT) && !e.is(Errno.EISDIR)) {
                throw e;
            }
        }
    }
}
