package io.carlos.agent.service.vm;

import io.carlos.agent.service.admin.AdminException;
import io.carlos.model.linux.Directory;
import io.carlos.model.names.VmName;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

/** The directories of machines. What a machine has put into its own is removed without following anything in it. */
final class Workspaces {
    private static final Logger log = LoggerFactory.getLogger(Workspaces.class);
    private static final FileAttribute<?> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path root;

    /** @param root of those that are made here; nothing else is in it */
    Workspaces(Path root) {
        this.root = root;
    }

    /** The directory that an operator names, or else a new one. */
    Workspace take(VmName vm, Optional<String> given) throws IOException {
        if (given.isPresent()) {
            return new Workspace(existing(given.get()), false);
        }
        Files.createDirectories(root, OWNER_ALONE);
        try {
            return new Workspace(Files.createDirectory(root.resolve(vm.value()), OWNER_ALONE), true);
        } catch (FileAlreadyExistsException e) {
            throw new AdminException(
                    HttpStatus.CONFLICT,
                    root.resolve(vm.value()) + " is there already, from a machine of that name; take another name, or"
                            + " remove the directory when no machine has it",
                    e);
        }
    }

    private static Path existing(String given) {
        Path path;
        try {
            path = Path.of(given);
        } catch (InvalidPathException e) {
            throw notADirectory(given);
        }
        if (!path.isAbsolute() || !Files.isDirectory(path) || !Files.isWritable(path)) {
            throw notADirectory(given);
        }
        return path;
    }

    private static AdminException notADirectory(String given) {
        return new AdminException(
                HttpStatus.BAD_REQUEST,
                "the workspace \"" + given + "\": expected the absolute path of a directory that the agent can write"
                        + " in: its user, and its unit's ReadWritePaths=");
    }

    /** Does nothing to one that an operator has named. */
    void putBack(Workspace workspace) throws IOException {
        if (workspace.made()) {
            try (Directory directory = Directory.open(root)) {
                directory.removeTree(workspace.path().getFileName().toString());
            }
        }
    }

    /** Removes what an earlier agent has made: nobody knows its machines any more. */
    void sweep() {
        if (!Files.isDirectory(root)) {
            return;
        }
        try (Directory directory = Directory.open(root)) {
            for (String name : directory.list()) {
                sweep(directory, name);
            }
        } catch (IOException e) {
            log.warn("vm: workspaces of an earlier agent are left: {}", e.getMessage());
        }
    }

    /** One that stays keeps none of the others. */
    private void sweep(Directory directory, String name) {
        try {
            directory.removeTree(name);
            log.info("vm: workspace removed, its machine ended with an earlier agent: {}", root.resolve(name));
        } catch (IOException e) {
            log.warn("vm: workspace of an earlier agent is left: {}: {}", root.resolve(name), e.getMessage());
        }
    }
}
