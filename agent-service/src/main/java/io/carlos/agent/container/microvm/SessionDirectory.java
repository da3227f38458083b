package io.carlos.agent.container.microvm;

import io.carlos.agent.container.ContainerId;
import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** What a session keeps on disk, for nobody but its owner: sockets, what its programs say, and who they are. */
public final class SessionDirectory {
    /** A path of a unix socket, without the byte that ends it. */
    private static final int LONGEST_SOCKET_PATH = 107;

    private static final FileAttribute<?> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path parent;
    private final Path path;

    private SessionDirectory(Path parent, Path path) {
        this.parent = parent;
        this.path = path;
    }

    /** Of a session that may or may not be there. */
    static SessionDirectory of(Path parent, ContainerId id) {
        return new SessionDirectory(parent, parent.resolve(id.value()));
    }

    static SessionDirectory create(Path parent, ContainerId id) throws IOException {
        SessionDirectory made = of(parent, id);
        for (Path socket : made.sockets()) {
            if (socket.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_SOCKET_PATH) {
                throw new IOException("the socket " + socket + " has a path longer than " + LONGEST_SOCKET_PATH
                        + " bytes; give the agent a shorter run root");
            }
        }
        Files.createDirectory(made.path, OWNER_ALONE);
        return made;
    }

    public Path path() {
        return path;
    }

    /** Where virtiofsd serves the workspace. */
    public Path workspaceSocket() {
        return path.resolve("fs");
    }

    /** Where passt serves the network. */
    public Path networkSocket() {
        return path.resolve("net");
    }

    /** Where the monitor finds its vsock device, if that is a program of its own. */
    public Path vsockDeviceSocket() {
        return path.resolve("vhost");
    }

    /** Where the guest is reached: the session's identity. */
    public Path vsock() {
        return path.resolve("vsock");
    }

    /** Where a machine that is given its data later has its workspace; on this machine it stays empty. */
    Path ownWorkspace() {
        return path.resolve("workspace");
    }

    Path makeOwnWorkspace() throws IOException {
        return Files.createDirectory(ownWorkspace(), OWNER_ALONE);
    }

    Path record() {
        return path.resolve("session.json");
    }

    Path log(String program) {
        return path.resolve(program + ".log");
    }

    private List<Path> sockets() {
        return List.of(workspaceSocket(), networkSocket(), vsockDeviceSocket(), vsock());
    }

    /** Nobody listens on them any more. */
    void removeSockets() throws IOException {
        for (Path socket : sockets()) {
            Files.deleteIfExists(socket);
        }
        // passt and virtiofsd keep such files beside their sockets.
        try (var files = Files.newDirectoryStream(path, "*.{pid,sock}")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Does nothing when it is not there. */
    void remove() throws IOException {
        if (!Files.isDirectory(path)) {
            return;
        }
        try (Directory directory = Directory.open(parent)) {
            directory.removeTree(path.getFileName().toString());
        } catch (LinuxException e) {
            throw new IOException(path + ": cannot be removed; remove it by hand", e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
