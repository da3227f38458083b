package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.CallFailedException;
import io.carlos.guest.namespace.calls.SocketCalls;
import io.carlos.guest.namespace.calls.Syscalls;

/** Sockets that are open for one attempt. */
final class Sockets {
    private Sockets() {}

    /** Sends one byte. @return the number of bytes sent, or an error */
    static int sendDatagram(Syscalls calls, int family, byte[] address) {
        int socket =
                CallFailedException.check(calls, "open a datagram socket", calls.socket(family, SocketCalls.DATAGRAM));
        try {
            return calls.send(socket, new byte[1], address);
        } finally {
            calls.close(socket);
        }
    }

    /** Connects. @return 0, or an error */
    static int connect(Syscalls calls, int family, byte[] address) {
        int socket = CallFailedException.check(calls, "open a stream socket", calls.socket(family, SocketCalls.STREAM));
        try {
            return calls.connect(socket, address);
        } finally {
            calls.close(socket);
        }
    }
}
