package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.Syscalls;

/** The box's configuration and credentials are there and out of reach. */
final class HiddenConfigurationCheck implements ProbeCheck {
    private final Syscalls calls;
    private final String directory;

    HiddenConfigurationCheck(Syscalls calls, String directory) {
        this.calls = calls;
        this.directory = directory;
    }

    @Override
    public String name() {
        return "etc-carlos";
    }

    @Override
    public Finding check() {
        Files files = new Files(calls);
        String secret = directory + "/probe-secret";
        int opened = files.tryOpen(directory, OpenMode.DIRECTORY);
        int read = files.tryOpen(secret, OpenMode.READ_THROUGH_LINKS);
        // "Not there" is no proof: then the configuration may be elsewhere.
        if (!Refusals.isDenied(opened)) {
            return Finding.fail("opening " + directory + ": " + Refusals.describe(calls, opened));
        }
        if (read == 0) {
            return Finding.fail(secret + " can be read");
        }
        // A mode that refuses this user today is not what keeps it away.
        if (!Mounts.read(calls).isInaccessible(directory)) {
            return Finding.fail(directory + " is refused by its mode only: nothing covers it");
        }
        return Finding.ok(directory + " is out of reach");
    }
}
