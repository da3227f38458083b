package io.carlos.agent.instance;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.ExitRecord;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.files.StatusFile;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.FileStatus;
import io.carlos.model.linux.FileType;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two directories of each instance and the platform's files in them. A tenant writes there as well: no link of its is followed,
 * and what it puts in the place of a file is no such file.
 */
final class InstanceDirectories {
    private static final Logger log = LoggerFactory.getLogger(InstanceDirectories.class);

    private static final int DATA_MODE = 0700;
    /** New files get the group of the sockets, not the user's. */
    private static final int RUN_MODE = 02750;

    private static final int LAUNCH_FILE_MODE = 0600;
    /** The name of the socket that the instance's program serves on. */
    static final String APP_SOCKET = "app.sock";

    private final BoxPaths paths;

    InstanceDirectories(BoxPaths paths) {
        this.paths = paths;
    }

    /**
     * Makes what is absent of the instance's directories, and gives them their modes and the group of the directory that they are in,
     * also when their tenant has taken these away.
     */
    void make(InstanceId id) throws IOException {
        make(paths.instanceDataStorage(id), DATA_MODE);
        make(paths.instanceRunStorage(id), RUN_MODE);
    }

    private static void make(Path path, int mode) throws IOException {
        String name = path.getFileName().toString();
        try (Directory parent = parent(path)) {
            giveBack(path, parent.status(name), parent.status().gid());
            make(parent, path, mode, parent.status().gid());
        }
    }

    /** To its owner, without whose permission it cannot even be opened. Only the agent could put a link in its place. */
    private static void giveBack(Path path, Optional<FileStatus> found, int group) throws IOException {
        if (found.isEmpty() || found.get().type() != FileType.DIRECTORY) {
            return;
        }
        if ((found.get().mode() & DATA_MODE) != DATA_MODE) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
        if (found.get().gid() != group) {
            changeGroup(path, found.get().gid(), group);
        }
    }

    private static void changeGroup(Path path, int from, int to) throws IOException {
        try {
            Files.setAttribute(path, "unix:gid", to, LinkOption.NOFOLLOW_LINKS);
        } catch (FileSystemException e) {
            throw new IOException(
                    path + ": it has group " + from + ", expected group " + to + ", in which this user must be", e);
        }
    }

    private static void make(Directory parent, Path path, int mode, int group) throws IOException {
        try (Directory directory = parent.createDirectories(path.getFileName().toString(), mode & 0777)) {
            directory.setMode(mode);
            FileStatus status = directory.status();
            if (status.mode() != mode || status.gid() != group) {
                // The kernel drops the bit silently for one who is not in the group.
                throw new IOException(
                        "%s: it has mode %o and group %d, expected mode %o and group %d, in which this user must be"
                                .formatted(path, status.mode(), status.gid(), mode, group));
            }
        }
    }

    /** Whether the instance has a data directory, and so perhaps somebody's data. */
    boolean hasData(InstanceId id) throws IOException {
        Path path = paths.instanceDataStorage(id);
        try (Directory parent = parent(path)) {
            return parent.status(path.getFileName().toString()).isPresent();
        }
    }

    /** Removes what earlier runs have left in the run directory; nothing of the instance runs. */
    void clearRun(InstanceId id) throws IOException {
        try (Directory run = open(paths.instanceRun(id))) {
            for (String name : run.list()) {
                run.removeTree(name);
            }
        } catch (LinuxException e) {
            // Of an instance that was never started.
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    /** Removes the socket of an earlier start, in whose place the program could not make its own; a tenant may run. */
    void removeAppSocket(InstanceId id) throws IOException {
        try (Directory run = open(paths.instanceRun(id))) {
            unlink(run, APP_SOCKET);
        }
    }

    /** The socket that the instance's program serves on. */
    Path appSocket(InstanceId id) {
        return paths.instanceRun(id).resolve(APP_SOCKET);
    }

    /** Removes what the log listeners of an agent that was killed have left; there is no listener. */
    void removeLogSockets() {
        try (Directory logs = Directory.open(paths.logs())) {
            for (String name : logs.list()) {
                if (name.endsWith(".sock")) {
                    unlink(logs, name);
                }
            }
        } catch (IOException e) {
            notRemoved(paths.logs(), "*.sock", e);
        }
    }

    /** Writes what the trampoline is to run. */
    void writeLaunch(InstanceId id, Role role, LaunchFile launch) throws IOException {
        try (Directory data = open(paths.instanceData(id))) {
            AtomicFile.write(data, LaunchFile.fileName(role), LAUNCH_FILE_MODE, launch.toBytes());
        }
    }

    /**
     * Removes the launch file, and with it the environment.
     *
     * @return whether there was one
     */
    boolean removeLaunch(InstanceId id, Role role) {
        return remove(paths.instanceData(id), LaunchFile.fileName(role));
    }

    /** What the trampoline wrote; empty when nothing readable is there. To be believed once nothing of the unit runs. */
    Optional<StatusFile> status(InstanceId id, Role role, InvocationId invocation) {
        return read(id, StatusFile.fileName(role, invocation), StatusFile.MAX_BYTES, StatusFile::read)
                .filter(status -> status.invocation().equals(invocation));
    }

    /** How systemd saw the unit end; empty when nothing readable is there. */
    Optional<ExitRecord> exit(InstanceId id, Role role, InvocationId invocation) {
        return read(id, ExitRecord.fileName(role, invocation), ExitRecord.MAX_BYTES, ExitRecord::read)
                .filter(exit -> exit.invocation().equals(invocation));
    }

    /** The seed that says of itself that it has done its work. */
    Optional<InvocationId> seedThatExitedWithZero(InstanceId id) {
        String prefix = "status." + Role.SEED + ".";
        try (Directory run = open(paths.instanceRun(id))) {
            for (String name : run.list()) {
                if (!name.startsWith(prefix)) {
                    continue;
                }
                Optional<InvocationId> seed = read(id, name, StatusFile.MAX_BYTES, StatusFile::read)
                        .filter(status -> name.equals(StatusFile.fileName(Role.SEED, status.invocation())))
                        .filter(status -> status.cause() == StatusFile.Cause.EXITED && status.status() == 0)
                        .map(StatusFile::invocation);
                if (seed.isPresent()) {
                    return seed;
                }
            }
        } catch (IOException e) {
            log.warn("instances: not listed: instance={} cause={}", id, e.getMessage());
        }
        return Optional.empty();
    }

    /** Removes what tells of the end of one start of a role. */
    void removeEnds(InstanceId id, Role role, InvocationId invocation) {
        remove(paths.instanceRun(id), StatusFile.fileName(role, invocation));
        remove(paths.instanceRun(id), ExitRecord.fileName(role, invocation));
    }

    /** Removes what tells of the ends of a role's units, whichever start of it; none of them runs. */
    void removeEnds(InstanceId id, Role role) {
        try (Directory run = open(paths.instanceRun(id))) {
            for (String name : run.list()) {
                if (name.startsWith("status." + role + ".") || name.startsWith("exit." + role + ".")) {
                    unlink(run, name);
                }
            }
        } catch (IOException e) {
            notRemoved(paths.instanceRun(id), "status and exit record of " + role, e);
        }
    }

    private <T> Optional<T> read(InstanceId id, String name, int limit, Function<byte[], T> read) {
        try (Directory run = open(paths.instanceRun(id));
                LinuxFile file = run.openFile(name)) {
            return Optional.of(read.apply(file.readAll(limit)));
        } catch (IOException | InvalidDocumentException e) {
            if (!(e instanceof LinuxException linux && linux.is(Errno.ENOENT))) {
                log.debug("instances: not read: instance={} file={} cause={}", id, name, e.getMessage());
            }
            return Optional.empty();
        }
    }

    /** @return whether it was there */
    private static boolean remove(Path directory, String name) {
        try (Directory opened = open(directory)) {
            return unlink(opened, name);
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOENT)) {
                notRemoved(directory, name, e);
            }
        } catch (IOException e) {
            notRemoved(directory, name, e);
        }
        return false;
    }

    /**
     * Never a tree, which a tenant that runs could fill as fast as it goes.
     *
     * @return whether it was there
     */
    private static boolean unlink(Directory directory, String name) throws LinuxException {
        try {
            directory.unlink(name);
            return true;
        } catch (LinuxException e) {
            if (e.is(Errno.ENOENT)) {
                return false;
            }
            throw e;
        }
    }

    /** Nobody reads what stays: the next start writes its own, and reads by another invocation. */
    private static void notRemoved(Path directory, String name, IOException e) {
        log.warn("instances: not removed: file={}/{} cause={}", directory, name, e.getMessage());
    }

    /** The way to the directory of all instances is the box's own; the instance's may be no link. */
    private static Directory open(Path instance) throws IOException {
        try (Directory all = parent(instance)) {
            return all.openDirectory(instance.getFileName().toString());
        }
    }

    private static Directory parent(Path instance) throws IOException {
        return Directory.open(instance.resolveSibling(""));
    }
}
