package io.carlos.guest.rpc;

import com.google.protobuf.ByteString;
import io.carlos.model.linux.process.OutputPumps;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Collects one stream, up to a limit. What is over it is not cut off: the whole stream is given up. */
final class CappedBuffer implements OutputPumps.Sink {
    private final int limit;
    private final OutputBudget.Share share;
    private final Runnable onOverflow;
    private final ByteString.Output collected = ByteString.newOutput();
    private final AtomicReference<Optional<Overflow>> overflow = new AtomicReference<>(Optional.empty());

    /** What the stream was too large for. */
    enum Overflow {
        /** Its own limit. */
        STREAM,
        /** What all calls may collect together; later, the same command may find room. */
        ALL_CALLS
    }

    /** @param limit in bytes */
    CappedBuffer(int limit, OutputBudget budget, Runnable onOverflow) {
        this.limit = limit;
        this.share = budget.share();
        this.onOverflow = onOverflow;
    }

    @Override
    public void write(byte[] bytes, int length) throws InterruptedException {
        if (length > limit - collected.size()) {
            giveUp(Overflow.STREAM);
        } else if (!share.takeOrGiveBack(length)) {
            giveUp(Overflow.ALL_CALLS);
        }
        collected.write(bytes, 0, length);
    }

    private void giveUp(Overflow what) throws InterruptedException {
        overflow.set(Optional.of(what));
        collected.reset();
        share.giveBack();
        onOverflow.run();
        throw new InterruptedException("the output is over the limit of " + what);
    }

    Optional<Overflow> overflow() {
        return overflow.get();
    }

    /** To be asked once the stream has ended. */
    ByteString content() {
        return collected.toByteString();
    }

    /** The stream has ended, and what was collected is needed no more. */
    void release() {
        share.giveBack();
    }
}
