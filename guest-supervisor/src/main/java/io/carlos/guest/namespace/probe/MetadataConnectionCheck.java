package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.CallFailedException;
import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.SocketAddress;
import io.carlos.guest.namespace.calls.SocketCalls;
import io.carlos.guest.namespace.calls.Syscalls;

/** No connection to the cloud's metadata service comes about within two seconds. */
final class MetadataConnectionCheck implements ProbeCheck {
    private static final int TIMEOUT_MILLIS = 2_000;

    private final Syscalls calls;

    MetadataConnectionCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "imds-tcp";
    }

    @Override
    public Finding check() {
        int socket = CallFailedException.check(
                calls, "open a stream socket", calls.socket(SocketCalls.INTERNET, SocketCalls.STREAM));
        try {
            int connected = calls.connect(socket, SocketAddress.ipv4(80, 169, 254, 169, 254));
            if (connected == -Errno.EINPROGRESS) {
                if (calls.awaitWritable(socket, TIMEOUT_MILLIS) == 0) {
                    return Finding.ok("connecting to the metadata service is not answered");
                }
                connected = calls.pendingError(socket);
            }
            return connected < 0
                    ? Finding.ok("connecting to the metadata service: " + calls.describe(-connected))
                    : Finding.fail("the metadata service can be connected to");
        } finally {
            calls.close(socket);
        }
    }
}
