package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.SocketAddress;
import io.carlos.guest.namespace.calls.SocketCalls;
import io.carlos.guest.namespace.calls.Syscalls;

/** Datagrams can be sent at all, so that what was refused was refused by the filter of addresses. */
final class LoopbackCheck implements ProbeCheck {
    private static final int DISCARD_PORT = 9;

    private final Syscalls calls;

    LoopbackCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "loopback";
    }

    @Override
    public Finding check() {
        int sent = Sockets.sendDatagram(calls, SocketCalls.INTERNET, SocketAddress.ipv4(DISCARD_PORT, 127, 0, 0, 1));
        return sent > 0
                ? Finding.ok("a datagram to the loopback address is sent")
                : Finding.fail("a datagram to the loopback address: " + Refusals.describe(calls, sent));
    }
}
