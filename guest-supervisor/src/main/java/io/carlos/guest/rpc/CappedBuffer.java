package io.carlos.guest.rpc;

import com.google.protobuf.ByteString;
import io.carlos.model.linux.process.OutputPumps;
import java.util.concurrent.atomic.AtomicBoolean;

/** Collects one stream, up to a limit. What is over it is not cut off: the whole stream is given up. */
final class CappedBuffer implements OutputPumps.Sink {
    private final int limit;
    private final Runnable onOverflow;
    private final ByteString.Output collected = ByteString.newOutput();
    private final AtomicBoolean overflown = new AtomicBoolean();

    /** @param limit in bytes */
    CappedBuffer(int limit, Runnable onOverflow) {
        this.limit = limit;
        this.onOverflow = onOverflow;
    }

    @Override
    public void write(byte[] bytes, int length) throws InterruptedException {
        if (length > limit - collected.size()) {
            overflown.set(true);
            onOverflow.run();
            throw new InterruptedException("over the limit of " + limit + " bytes");
        }
        collected.write(bytes, 0, length);
    }

    boolean hasOverflown() {
        return overflown.get();
    }

    /** To be asked once the stream has ended. */
    ByteString content() {
        return collected.toByteString();
    }
}
