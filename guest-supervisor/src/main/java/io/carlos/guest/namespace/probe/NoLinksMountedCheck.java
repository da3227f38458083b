package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Syscalls;

/** The instance's directories are mounts of their own on which no link is followed. */
final class NoLinksMountedCheck implements ProbeCheck {
    private final Syscalls calls;
    private final String[] directories;

    NoLinksMountedCheck(Syscalls calls, String... directories) {
        this.calls = calls;
        this.directories = directories;
    }

    @Override
    public String name() {
        return "nosymfollow";
    }

    @Override
    public Finding check() {
        Mounts mounts = Mounts.read(calls);
        for (String directory : directories) {
            if (!mounts.isMountPoint(directory)) {
                return Finding.fail(directory + " is no mount of its own");
            }
            if (!mounts.hasOption(directory, "nosymfollow")) {
                return Finding.fail(directory + " is mounted without nosymfollow");
            }
        }
        return Finding.ok("both directories are mounted with nosymfollow");
    }
}
