package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.CallFailedException;
import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.SocketAddress;
import io.carlos.guest.namespace.calls.SocketCalls;
import io.carlos.guest.namespace.calls.Syscalls;

/** The sockets of the root service, of systemd and of D-Bus are out of reach. */
final class HostServicesCheck implements ProbeCheck {
    private static final String CONTROL = ".probe.sock";

    private final Syscalls calls;
    private final String runRoot;
    private final String own;

    /** @param own a directory in which a socket can be made */
    HostServicesCheck(Syscalls calls, String runRoot, String own) {
        this.calls = calls;
        this.runRoot = runRoot;
        this.own = own;
    }

    @Override
    public String name() {
        return "host-services";
    }

    @Override
    public Finding check() {
        int control = connectToOwnSocket();
        if (control < 0) {
            return Finding.fail(
                    "an own socket cannot be connected to either, so it proves nothing: " + calls.describe(-control));
        }
        String[] services = {runRoot + "-control/control.sock", "/run/dbus/system_bus_socket", "/run/systemd/private"};
        for (String service : services) {
            int connected = connect(service);
            // Also a socket that nobody listens on was reached.
            if (connected != -Errno.ENOENT && !Refusals.isDenied(connected)) {
                return Finding.fail(service + " can be reached: " + Refusals.describe(calls, connected));
            }
        }
        return Finding.ok("the control socket, systemd and D-Bus are out of reach");
    }

    private int connect(String path) {
        return Sockets.connect(calls, SocketCalls.UNIX, SocketAddress.unix(path));
    }

    private int connectToOwnSocket() {
        int directory = new Files(calls).openDirectory(own);
        String path = own + "/" + CONTROL;
        int socket = CallFailedException.check(
                calls, "open a unix socket", calls.socket(SocketCalls.UNIX, SocketCalls.STREAM));
        try {
            calls.unlink(directory, CONTROL);
            CallFailedException.check(calls, "bind " + path, calls.bind(socket, SocketAddress.unix(path)));
            CallFailedException.check(calls, "listen on " + path, calls.listen(socket));
            int connected = connect(path);
            calls.unlink(directory, CONTROL);
            return connected;
        } finally {
            calls.close(socket);
            calls.close(directory);
        }
    }
}
