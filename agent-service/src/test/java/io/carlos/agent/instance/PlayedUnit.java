package io.carlos.agent.instance;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.ExitRecord;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.files.StatusFile;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.runs.OutputChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A unit as far as the agent can see one: its log connection, its files and its program's socket. */
final class PlayedUnit {
    private final BoxPaths paths;
    private final Host host;
    private final Role role;
    private final InvocationId invocation;
    private final LaunchFile launch;
    private final SocketChannel log;
    private @Nullable ServerSocketChannel server;
    private boolean settled;
    private boolean ended;

    PlayedUnit(BoxPaths paths, Host host, Role role, InvocationId invocation) {
        this.paths = paths;
        this.host = host;
        this.role = role;
        this.invocation = invocation;
        try {
            InstanceId id = InstanceId.of(host);
            this.log = SocketChannel.open(UnixDomainSocketAddress.of(paths.logSocket(id, role, OutputChannel.STDOUT)));
            this.launch =
                    LaunchFile.read(Files.readAllBytes(paths.instanceData(id).resolve(LaunchFile.fileName(role))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Host host() {
        return host;
    }

    Role role() {
        return role;
    }

    InvocationId invocation() {
        return invocation;
    }

    /** What it was started with. */
    LaunchFile launch() {
        return launch;
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    void print(String text) {
        try {
            log.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The trampoline has come to the program. */
    void comeToRun() {
        status(StatusFile.Cause.RUNNING, 0);
    }

    /** The program serves on its socket. */
    synchronized void serve() {
        try {
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(runFile("app.sock")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void status(StatusFile.Cause cause, int status) {
        synchronized (this) {
            settled |= cause != StatusFile.Cause.RUNNING;
        }
        write(StatusFile.fileName(role, invocation), new StatusFile(invocation, cause, status, Instant.EPOCH).toJson());
    }

    void exitRecord(String result, String code, String status) {
        write(
                ExitRecord.fileName(role, invocation),
                new ExitRecord(invocation, result, code, status, Instant.EPOCH).toJson());
    }

    /** A program that lives ends with 0 when it is asked to; one that has said how it ended is not changed by it. */
    void stop() {
        boolean lives;
        synchronized (this) {
            lives = !settled;
        }
        if (lives) {
            status(StatusFile.Cause.EXITED, 0);
        }
        vanish();
    }

    void exit(int status) {
        status(StatusFile.Cause.EXITED, status);
        vanish();
    }

    /** It is gone, and nothing tells so but the end of its log. */
    synchronized void vanish() {
        ended = true;
        try {
            log.close();
            if (server != null) {
                server.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path runFile(String name) {
        return paths.instanceRun(InstanceId.of(host)).resolve(name);
    }

    private void write(String name, String content) {
        try {
            Path file = runFile("." + name);
            Files.writeString(file, content);
            Files.move(file, runFile(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return role + " " + host;
    }
}
