package io.carlos.model.linux;

import static org.assertj.core.api.Assertions.fail;

import com.sun.jna.Native;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * Tests that need an administrator's rights. Where those lack, a test is skipped and prints why; with
 * {@code CARLOS_REQUIRE_ROOT=1} in the environment it fails instead.
 */
public final class RootLane {
    private RootLane() {}

    /** Skips the test unless this process is root. */
    public static void require(String purpose) {
        if (LinuxTestCalls.LIBC.geteuid() != 0) {
            skip("not root, which is needed to " + purpose);
        }
    }

    /** Mounts a directory or file on another until the result is closed, or skips the test. */
    public static Mounted bind(Path source, Path target) {
        return mount(source.toString(), target, null, LinuxTestCalls.MS_BIND, null);
    }

    /** Mounts an empty file system of that size until the result is closed, or skips the test. */
    public static Mounted smallDisk(int bytes, Path target) {
        return mount("none", target, "tmpfs", 0, "size=" + bytes);
    }

    private static Mounted mount(String source, Path target, String type, long flags, String data) {
        require("mount");
        if (LinuxTestCalls.LIBC.mount(source, target.toString(), type, flags, data) != 0) {
            skip("root, but mount gives errno " + Native.getLastError());
        }
        return new Mounted(target);
    }

    /** For what even root may lack on some machines. */
    public static void skip(String reason) {
        if ("1".equals(System.getenv("CARLOS_REQUIRE_ROOT"))) {
            fail("CARLOS_REQUIRE_ROOT is set, but this test cannot run: %s", reason);
        }
        System.out.println("skipped: " + reason);
        Assumptions.abort(reason);
    }

    public record Mounted(Path target) implements AutoCloseable {
        public void forbidLinks() {
            long flags = LinuxTestCalls.MS_REMOUNT | LinuxTestCalls.MS_BIND | LinuxTestCalls.MS_NOSYMFOLLOW;
            if (LinuxTestCalls.LIBC.mount(null, target.toString(), null, flags, null) != 0) {
                skip("remount with nosymfollow gives errno " + Native.getLastError());
            }
        }

        @Override
        public void close() {
            LinuxTestCalls.LIBC.umount2(target.toString(), LinuxTestCalls.MNT_DETACH);
        }
    }
}
