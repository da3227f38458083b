package io.carlos.store.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;

/**
 * How far the request of one call has got. A server can have done what was asked only once it has the whole request, and it
 * has no more of it than the HTTP client has taken from the body.
 */
final class SendProgress {
    private volatile boolean begun;
    private volatile long missing;

    /** The request is given to the HTTP client, with a body of so many bytes. */
    void begin(long bodyLength) {
        missing = bodyLength;
        begun = true;
    }

    /** The body, counting what is taken of it. */
    InputStream counting(InputStream body, long bodyLength) {
        missing = bodyLength;
        return new FilterInputStream(body) {
            @Override
            public int read() throws IOException {
                int read = super.read();
                missing -= read < 0 ? 0 : 1;
                return read;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                int read = super.read(buffer, offset, length);
                missing -= Math.max(0, read);
                return read;
            }

            @Override
            public long skip(long count) throws IOException {
                long skipped = super.skip(count);
                missing -= skipped;
                return skipped;
            }

            @Override
            public boolean markSupported() {
                return false;
            }
        };
    }

    /** Whether the server can have the whole request, after the call has failed so. */
    boolean mayHaveArrived(Throwable failure) {
        return begun && missing <= 0 && !isFailureToConnect(failure);
    }

    private static boolean isFailureToConnect(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || cause instanceof NoRouteToHostException) {
                return true;
            }
        }
        return false;
    }
}
