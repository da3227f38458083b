package io.carlos.guest.namespace.start;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.FileCalls;
import io.carlos.guest.namespace.calls.JnaSyscalls;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.ScriptedProcess;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;

/** A process with a channel, in which files are what a test says and nothing changes. */
final class RecordingChild extends ScriptedProcess {
    private static final int CONTROL_GROUP = 7;
    private static final int KNOWN_CAPABILITIES = 2;

    private enum Kind {
        FILE,
        PROGRAM,
        DIRECTORY,
        CONTROL_GROUP
    }

    private final Map<String, Kind> files = new HashMap<>();
    private byte[] received = {};
    private int position;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    /** The call that answers EPERM. */
    String failing = "";

    boolean channelIsThere = true;

    void receives(byte[] bytes) {
        received = bytes;
        position = 0;
        said.reset();
    }

    byte[] said() {
        return said.toByteArray();
    }

    void file(String path) {
        files.put(path, Kind.FILE);
    }

    void executable(String path) {
        files.put(path, Kind.PROGRAM);
    }

    void directory(String path) {
        files.put(path, Kind.DIRECTORY);
    }

    void controlGroup(String path) {
        files.put(path, Kind.CONTROL_GROUP);
    }

    private int called(String call) {
        log.add(call);
        return call.equals(failing) ? -Errno.EPERM : 0;
    }

    @Override
    public int read(int descriptor, byte[] buffer, int offset, int length) {
        // Piece by piece, as a socket may give it.
        int count = Math.min(Math.min(length, 3), received.length - position);
        System.arraycopy(received, position, buffer, offset, count);
        position += count;
        return count;
    }

    @Override
    public int write(int descriptor, byte[] buffer, int offset, int length) {
        if (descriptor == CONTROL_GROUP) {
            log.add("write " + JnaSyscalls.text(buffer));
            return length;
        }
        if (!channelIsThere) {
            return -Errno.EPERM;
        }
        log.add("say " + buffer[offset]);
        said.write(buffer, offset, length);
        return length;
    }

    @Override
    public int open(int directory, String name, OpenMode mode) {
        log.add("open " + name);
        return files.get(name) == Kind.CONTROL_GROUP && mode == OpenMode.WRITE ? CONTROL_GROUP : -Errno.ENOENT;
    }

    @Override
    public int close(int descriptor) {
        return 0;
    }

    @Override
    public int access(String path, int mode) {
        if (path.endsWith("/.")) {
            return files.get(path.substring(0, path.length() - 2)) == Kind.DIRECTORY ? 0 : -Errno.ENOENT;
        }
        Kind kind = files.get(path);
        if (kind == null) {
            return -Errno.ENOENT;
        }
        return kind == Kind.FILE && mode == FileCalls.EXECUTABLE ? -Errno.EACCES : 0;
    }

    @Override
    public int closeOnExecuteFrom(int first) {
        return called("cloexec " + first);
    }

    @Override
    public int changeDirectory(String path) {
        return called("chdir " + path);
    }

    @Override
    public int neverGainPrivileges() {
        return called("no new privileges");
    }

    @Override
    public int dropAmbientCapabilities() {
        return called("drop ambient");
    }

    @Override
    public int dropBoundingCapability(int capability) {
        return capability < KNOWN_CAPABILITIES ? called("drop bounding " + capability) : -Errno.EINVAL;
    }

    @Override
    public int dropCapabilities() {
        return called("drop all");
    }

    @Override
    public int leaveGroups() {
        return called("leave groups");
    }

    @Override
    public int setGroup(int gid) {
        return called("gid " + gid);
    }

    @Override
    public int setUser(int uid) {
        return called("uid " + uid);
    }
}
