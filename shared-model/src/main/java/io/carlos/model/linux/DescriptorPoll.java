package io.carlos.model.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/** Whether a read of a descriptor of this process would wait. */
public final class DescriptorPoll {
    private static final short POLLIN = 1;
    private static final int SIZE_OF_POLLFD = 8;

    private DescriptorPoll() {}

    /**
     * Waits until there is something to read, or its end, within the bound.
     *
     * @return false when a read would still wait
     */
    public static boolean awaitReadable(int descriptor, Duration bound) throws LinuxException {
        byte[] pollfd = ByteBuffer.allocate(SIZE_OF_POLLFD)
                .order(ByteOrder.nativeOrder())
                .putInt(descriptor)
                .putShort(POLLIN)
                .array();
        return Libc.check("poll", "descriptor " + descriptor, () -> Libc.poll(pollfd, 1, (int) bound.toMillis())) > 0;
    }
}
