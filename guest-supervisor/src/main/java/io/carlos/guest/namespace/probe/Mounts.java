package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Syscalls;
import java.util.List;

/** The mounts that this process sees, as {@code proc_pid_mountinfo(5)} describes them. */
final class Mounts {
    private static final int DEVICE = 2;
    private static final int ROOT = 3;
    private static final int POINT = 4;
    private static final int OPTIONS = 5;

    private final List<String> lines;

    private Mounts(List<String> lines) {
        this.lines = lines;
    }

    static Mounts read(Syscalls calls) {
        return new Mounts(Lines.of(calls, "/proc/self/mountinfo"));
    }

    /** Whether something is mounted exactly there. */
    boolean isMountPoint(String path) {
        return !at(path, POINT).isEmpty();
    }

    /** The device, such as {@code 0:25}, of what is mounted exactly there; empty when nothing is. */
    String device(String path) {
        return at(path, DEVICE);
    }

    /** Whether exactly there lies one of the nodes that systemd covers with what is to be out of reach. */
    boolean isInaccessible(String path) {
        return at(path, ROOT).contains("/inaccessible/");
    }

    /** Whether the mount that a path is on has the option, such as {@code ro}; of several on one point the last counts. */
    boolean hasOption(String path, String option) {
        String options = "";
        int depth = -1;
        for (String line : lines) {
            String point = field(line, POINT);
            if (isBeneath(path, point) && point.length() >= depth) {
                depth = point.length();
                options = field(line, OPTIONS);
            }
        }
        return Lines.split(options, ',').contains(option);
    }

    /** A field of what is mounted exactly there, of several mounts the last; empty when nothing is. */
    private String at(String path, int index) {
        String found = "";
        for (String line : lines) {
            if (field(line, POINT).equals(path)) {
                found = field(line, index);
            }
        }
        return found;
    }

    private static boolean isBeneath(String path, String point) {
        return point.equals("/") || path.equals(point) || path.startsWith(point + "/");
    }

    /** Empty when the line is shorter. */
    private static String field(String line, int index) {
        List<String> fields = Lines.split(line, ' ');
        return index < fields.size() ? fields.get(index) : "";
    }
}
