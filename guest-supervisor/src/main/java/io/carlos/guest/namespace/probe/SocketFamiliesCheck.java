package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.SocketCalls;
import io.carlos.guest.namespace.calls.Syscalls;

/** Sockets of families by which the kernel or the machine's host is spoken to are refused. */
final class SocketFamiliesCheck implements ProbeCheck {
    private final Syscalls calls;

    SocketFamiliesCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "socket-families";
    }

    @Override
    public Finding check() {
        int control = tryToOpen(SocketCalls.UNIX, SocketCalls.STREAM);
        if (control < 0) {
            return Finding.fail("unix sockets are refused too, so it proves nothing: " + calls.describe(-control));
        }
        String open = "";
        open += tryOther("AF_NETLINK", SocketCalls.NETLINK, SocketCalls.RAW);
        open += tryOther("AF_VSOCK", SocketCalls.VSOCK, SocketCalls.STREAM);
        open += tryOther("AF_PACKET", SocketCalls.PACKET, SocketCalls.RAW);
        return open.isEmpty()
                ? Finding.ok("AF_NETLINK, AF_VSOCK and AF_PACKET are refused")
                : Finding.fail(open.substring(2));
    }

    private String tryOther(String name, int family, int type) {
        int opened = tryToOpen(family, type);
        return opened == -Errno.EAFNOSUPPORT || Refusals.isDenied(opened)
                ? ""
                : ", " + name + ": " + Refusals.describe(calls, opened);
    }

    private int tryToOpen(int family, int type) {
        int socket = calls.socket(family, type);
        if (socket >= 0) {
            calls.close(socket);
        }
        return Math.min(socket, 0);
    }
}
