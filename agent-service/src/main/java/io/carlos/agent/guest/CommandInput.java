package io.carlos.agent.guest;

import com.google.protobuf.ByteString;
import io.carlos.model.guest.v1.ExecStreamRequest;
import io.carlos.model.guest.v1.StdinClose;
import io.grpc.stub.ClientCallStreamObserver;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The input of a remote command; a writer waits while the guest takes no more. Once the command is started, only this sends
 * on its call, by one thread at a time.
 */
final class CommandInput extends OutputStream {
    private static final int LARGEST_PIECE = 32 * 1024;

    private final String subject;
    private final CompletableFuture<ClientCallStreamObserver<ExecStreamRequest>> call;
    private final BooleanSupplier ended;

    private final ReentrantLock sending = new ReentrantLock();
    private final Condition ready = sending.newCondition();
    private boolean closed;

    /** @param ended whether the command has; {@link #wake} is called when it does */
    CommandInput(
            String subject,
            CompletableFuture<ClientCallStreamObserver<ExecStreamRequest>> call,
            BooleanSupplier ended) {
        this.subject = subject;
        this.call = call;
        this.ended = ended;
    }

    /** Has a writer look again. */
    void wake() {
        sending.lock();
        try {
            ready.signalAll();
        } finally {
            sending.unlock();
        }
    }

    /** Breaks off the call, and so kills the command. */
    void cancel(String reason, @Nullable Throwable cause) {
        sending.lock();
        try {
            call.join().cancel(reason, cause);
        } finally {
            sending.unlock();
        }
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
        for (int done = 0; done < length; done += LARGEST_PIECE) {
            ByteString piece = ByteString.copyFrom(bytes, start + done, Math.min(LARGEST_PIECE, length - done));
            send(ExecStreamRequest.newBuilder().setStdin(piece).build());
        }
    }

    private void send(ExecStreamRequest frame) throws IOException {
        sending.lock();
        try {
            while (!closed && !ended.getAsBoolean() && !call.join().isReady()) {
                ready.await();
            }
            if (closed) {
                throw new IOException("the stream is closed");
            }
            if (ended.getAsBoolean()) {
                throw new IOException(subject + ": the command has ended and reads no more");
            }
            call.join().onNext(frame);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing a command's input");
        } finally {
            sending.unlock();
        }
    }

    @Override
    public void close() {
        sending.lock();
        try {
            if (!closed) {
                closed = true;
                ready.signalAll();
                if (!ended.getAsBoolean()) {
                    call.join()
                            .onNext(ExecStreamRequest.newBuilder()
                                    .setStdinClose(StdinClose.getDefaultInstance())
                                    .build());
                }
            }
        } finally {
            sending.unlock();
        }
    }
}
