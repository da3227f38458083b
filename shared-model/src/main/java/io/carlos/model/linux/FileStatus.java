package io.carlos.model.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;

/**
 * What {@code statx(2)} tells of a file. A file is the same as another exactly when device and inode agree while both
 * are held open.
 *
 * @param mode the permission bits, {@code 07777} at most
 * @param size in bytes
 * @param device the device of the file system, equal for two bind mounts of it
 * @param mountId as in {@code /proc/self/mountinfo}, different for two bind mounts of one file system
 * @param mountRoot whether something is mounted exactly here
 * @param modified when the content changed last, to the nanosecond as far as the file system keeps it
 * @param changed when content, owner, mode or names changed last
 */
public record FileStatus(
        FileType type,
        int mode,
        int uid,
        int gid,
        long links,
        long size,
        long inode,
        long device,
        long mountId,
        boolean mountRoot,
        Instant modified,
        Instant changed) {

    private static final int STATX_LENGTH = 256;
    private static final int MODE_BITS = 07777;
    private static final long ATTRIBUTE_MOUNT_ROOT = 0x2000;

    /**
     * @param name ends in NUL, empty with {@code AT_EMPTY_PATH} for the open directory or file itself
     * @param flags more {@code AT_} flags
     */
    static FileStatus read(int directory, byte[] name, int flags, String subject) throws LinuxException {
        byte[] bytes = new byte[STATX_LENGTH];
        int allFlags = flags | Libc.AT_NO_AUTOMOUNT;
        Libc.check("statx", subject, () -> Libc.statx(directory, name, allFlags, Libc.STATX_BASIC_AND_MOUNT_ID, bytes));
        return ofStructure(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()));
    }

    private static FileStatus ofStructure(ByteBuffer statx) {
        int mode = statx.getShort(28);
        return new FileStatus(
                FileType.ofMode(mode),
                mode & MODE_BITS,
                statx.getInt(20),
                statx.getInt(24),
                Integer.toUnsignedLong(statx.getInt(16)),
                statx.getLong(40),
                statx.getLong(32),
                ((long) statx.getInt(136) << 32) | Integer.toUnsignedLong(statx.getInt(140)),
                statx.getLong(144),
                (statx.getLong(8) & ATTRIBUTE_MOUNT_ROOT) != 0,
                Instant.ofEpochSecond(statx.getLong(112), Integer.toUnsignedLong(statx.getInt(120))),
                Instant.ofEpochSecond(statx.getLong(96), Integer.toUnsignedLong(statx.getInt(104))));
    }
}
