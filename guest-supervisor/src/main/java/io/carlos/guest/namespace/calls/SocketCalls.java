package io.carlos.guest.namespace.calls;

/**
 * Calls on sockets. A result below zero is an {@linkplain Errno error number}, negated. Addresses are those of
 * {@link SocketAddress}.
 */
public interface SocketCalls {
    int UNIX = 1;
    int INTERNET = 2;
    int INTERNET_6 = 10;
    int NETLINK = 16;
    int PACKET = 17;
    int VSOCK = 40;

    int STREAM = 1;
    int DATAGRAM = 2;
    int RAW = 3;

    /** @return the descriptor of a socket on which no call waits */
    int socket(int family, int type);

    int bind(int socket, byte[] address);

    int listen(int socket);

    int connect(int socket, byte[] address);

    /** @return the number of bytes sent */
    int send(int socket, byte[] data, byte[] address);

    /** Waits until the socket can be written to or has failed. @return 0 when the time ran out before */
    int awaitWritable(int socket, int timeoutMillis);

    /** The error that connecting ended in, negated; 0 when it is connected. */
    int pendingError(int socket);
}
