package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.SocketAddress;
import io.carlos.guest.namespace.calls.SocketCalls;
import io.carlos.guest.namespace.calls.Syscalls;

/** The filter of the unit's addresses stops a datagram to the cloud's metadata service, which hands out credentials. */
final class MetadataDatagramCheck implements ProbeCheck {
    private final Syscalls calls;
    private final String name;
    private final int family;
    private final byte[] address;

    private MetadataDatagramCheck(Syscalls calls, String name, int family, byte[] address) {
        this.calls = calls;
        this.name = name;
        this.family = family;
        this.address = address;
    }

    static MetadataDatagramCheck ipv4(Syscalls calls) {
        return new MetadataDatagramCheck(
                calls, "imds-v4", SocketCalls.INTERNET, SocketAddress.ipv4(80, 169, 254, 169, 254));
    }

    static MetadataDatagramCheck ipv6(Syscalls calls) {
        return new MetadataDatagramCheck(
                calls, "imds-v6", SocketCalls.INTERNET_6, SocketAddress.ipv6(80, 0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Finding check() {
        int sent = Sockets.sendDatagram(calls, family, address);
        if (sent == -Errno.EPERM) {
            return Finding.ok("a datagram to the metadata service is refused");
        }
        // Without a route no packet reaches the filter. Over IPv4 there always is one; a box may be without IPv6.
        if (sent == -Errno.ENETUNREACH && family == SocketCalls.INTERNET_6) {
            return Finding.unverified("there is no route to the metadata service, which says nothing of the filter");
        }
        return Finding.fail(
                "a datagram to the metadata service: " + Refusals.describe(calls, sent) + ", expected EPERM");
    }
}
