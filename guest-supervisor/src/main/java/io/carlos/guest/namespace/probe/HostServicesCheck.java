package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.CallFailedException;
import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.SocketAddress;
import io.carlos.guest.namespace.calls.SocketCalls;
import io.carlos.guest.namespace.calls.Syscalls;

/** What the box's services have in {@code /run}, sockets and credentials, is not there. */
final class HostServicesCheck implements ProbeCheck {
    private static final String RUN = "/run";
    private static final String CONTROL = ".probe.sock";

    private final Syscalls calls;
    private final Outside outside;
    private final String runRoot;
    private final String own;

    /** @param own a directory in which a socket can be made */
    HostServicesCheck(Syscalls calls, Outside outside, String runRoot, String own) {
        this.calls = calls;
        this.outside = outside;
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
        // Elsewhere than in a /run of the namespace's own, "not there" may mean "not yet".
        String run = Mounts.read(calls).device(RUN);
        if (outside.run().isEmpty() || run.isEmpty() || run.equals(outside.run())) {
            return Finding.fail(
                    "the device on " + RUN + " is \"" + run + "\", and the box's is \"" + outside.run() + "\"");
        }
        String[] services = {
            runRoot + "-control/control.sock",
            "/run/credentials",
            "/run/dbus/system_bus_socket",
            "/run/systemd/journal/stdout",
            "/run/systemd/notify",
            "/run/systemd/private"
        };
        for (String service : services) {
            int connected = connect(service);
            // Any other refusal comes from what is there, by a mode or for want of a listener, and can change.
            if (connected != -Errno.ENOENT) {
                return Finding.fail(service + " is there: " + Refusals.describe(calls, connected));
            }
        }
        return Finding.ok("the control socket, credentials, systemd and D-Bus are not there");
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
