package io.carlos.agent.runs;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import io.carlos.model.runs.InputFile;
import io.carlos.model.runs.RunId;
import io.carlos.model.text.Sha256Hex;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The run directories of one instance: {@code .carlos-run/<run id>} beneath its data directory, both of mode 0700, with
 * the input files in them, of mode 0600 and durable.
 *
 * <p>The data directory is the tenant's, who may have anything stand there beforehand and may change it meanwhile. So
 * nothing is opened by way of a link or a mount, and every directory of a run and every file is a new one or a refusal.
 */
public final class Staging {
    private static final String RUNS = ".carlos-run";
    private static final int DIRECTORY_MODE = 0700;
    private static final int FILE_MODE = 0600;
    private static final int PIECE_LENGTH = 64 * 1024;

    /** The errors that only a tenant's doing explains; any other, like a full disk, is the box's. */
    private static final Set<Errno> TENANTS_DOING = Set.of(
            Errno.EEXIST,
            Errno.ELOOP,
            Errno.ENOTDIR,
            Errno.EISDIR,
            Errno.ENOENT,
            Errno.EPERM,
            Errno.EACCES,
            Errno.EXDEV);

    private final Directory data;

    /** @param data the instance's data directory, which stays the caller's to close */
    public Staging(Directory data) {
        this.data = data;
    }

    /**
     * Makes the directory of a run with its input files. Unless this succeeds it leaves none behind, or an
     * {@code IOException} is suppressed in what it throws.
     *
     * @throws StagingRefusedException something stands in the way, or an input is not what the request says
     * @throws IOException the disk failed, or is full
     * @throws io.carlos.store.StoreException an input could not be fetched
     */
    public void stage(RunId id, List<StagedInput> inputs) throws StagingRefusedException, IOException {
        try (Directory runs = openRuns()) {
            makeDirectory(runs, id);
            try {
                fill(runs, id, inputs);
            } catch (IOException | StagingRefusedException | RuntimeException e) {
                removeAfter(e, runs, id);
                throw e;
            }
        }
    }

    /** The directory of a run, given the instance's data directory. */
    public static Path directory(Path data, RunId id) {
        return data.resolve(RUNS).resolve(id.value());
    }

    /** Removes the directory of a run; a success when there is none. */
    public void remove(RunId id) throws IOException {
        data.removeTree(RUNS + "/" + id);
    }

    /**
     * Removes the run directories of every instance. One that cannot be removed keeps no other from it.
     *
     * @param instances the directory of the instances' data directories; there need be none
     * @return what could not be removed, by the name of the instance
     * @throws IOException the instances cannot be listed
     */
    public static Map<String, IOException> sweep(Path instances) throws IOException {
        Map<String, IOException> left = new LinkedHashMap<>();
        try (Directory directory = Directory.open(instances)) {
            for (String instance : directory.list()) {
                try (Directory data = directory.openDirectory(instance)) {
                    data.removeTree(RUNS);
                } catch (IOException e) {
                    left.put(instance, e);
                }
            }
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
        return left;
    }

    private Directory openRuns() throws StagingRefusedException, IOException {
        try {
            data.createDirectory(RUNS, DIRECTORY_MODE);
        } catch (LinuxException e) {
            // The directory of an earlier run, or whatever a tenant made: opening it tells.
            if (!e.is(Errno.EEXIST)) {
                throw refusalOr(e, RUNS);
            }
        }
        Directory runs;
        try {
            runs = data.openDirectory(RUNS);
        } catch (LinuxException e) {
            throw refusalOr(e, RUNS);
        }
        try {
            if (runs.status().mountId() != data.status().mountId()) {
                throw new StagingRefusedException(RUNS + ": something is mounted there");
            }
            runs.setMode(DIRECTORY_MODE);
            return runs;
        } catch (LinuxException e) {
            runs.close();
            throw refusalOr(e, RUNS);
        } catch (StagingRefusedException e) {
            runs.close();
            throw e;
        }
    }

    private static void makeDirectory(Directory runs, RunId id) throws StagingRefusedException, IOException {
        try {
            runs.createDirectory(id.value(), DIRECTORY_MODE);
        } catch (LinuxException e) {
            throw refusalOr(e, RUNS + "/" + id);
        }
    }

    private static void fill(Directory runs, RunId id, List<StagedInput> inputs)
            throws StagingRefusedException, IOException {
        try (Directory run = runs.openDirectory(id.value())) {
            for (StagedInput input : inputs) {
                write(run, input);
            }
            run.sync();
        } catch (LinuxException e) {
            throw refusalOr(e, RUNS + "/" + id);
        }
    }

    private static void write(Directory run, StagedInput input) throws StagingRefusedException, IOException {
        InputFile expected = input.file();
        byte[] content = input.content().fetch();
        if (content.length != expected.size()) {
            throw new StagingRefusedException("the input file %s: the request says %d bytes, stored are %d"
                    .formatted(expected.name(), expected.size(), content.length));
        }
        MessageDigest digest = Sha256Hex.start();
        try (LinuxFile file = run.createFile(expected.name().value(), FILE_MODE)) {
            for (int offset = 0; offset < content.length; offset += PIECE_LENGTH) {
                int length = Math.min(PIECE_LENGTH, content.length - offset);
                file.write(content, offset, length);
                digest.update(content, offset, length);
            }
            file.sync();
        } catch (LinuxException e) {
            throw refusalOr(e, "the input file " + expected.name());
        }
        String found = Sha256Hex.end(digest);
        if (!found.equals(expected.sha256())) {
            throw new StagingRefusedException("the input file %s: the request says SHA-256 %s, stored is %s"
                    .formatted(expected.name(), expected.sha256(), found));
        }
    }

    private static void removeAfter(Exception failure, Directory runs, RunId id) {
        try {
            runs.removeTree(id.value());
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** The refusal that the error stands for, or the error itself for throwing when it is none. */
    private static LinuxException refusalOr(LinuxException error, String subject) throws StagingRefusedException {
        for (Errno errno : TENANTS_DOING) {
            if (error.is(errno)) {
                throw new StagingRefusedException(
                        subject + ": expected a place to create it, found something in the way (" + errno + ")", error);
            }
        }
        return error;
    }
}
