package io.carlos.control.server;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.file.Path;

/** A socket that listens before there is a server, as systemd's does. */
final class ListeningSocket {
    private ListeningSocket() {}

    static ListenSocket.Adopted at(Path path) throws IOException {
        Epoll.ensureAvailability();
        Socket socket = Socket.newSocketDomain();
        socket.bind(new DomainSocketAddress(path.toFile()));
        socket.listen(128);
        return new ListenSocket.Adopted(socket.intValue(), path);
    }
}
