package io.carlos.agent.container.microvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The programs beside a monitor that give its machine a workspace, a network and a vsock.
 *
 * <p>Their lives differ: virtiofsd ends with the connection of its machine; passt and vhost-device-vsock go on when the
 * machine is gone, and are killed. None needs root.
 *
 * @param keptFrom addresses that no guest is to reach; with none, a guest reaches what this process does
 */
public record Helpers(
        Path virtiofsd, Path passt, Path pasta, Path vhostDeviceVsock, Owner owner, List<InetAddress> keptFrom) {
    /** The program that serves the workspace. */
    static final String WORKSPACE = "virtiofsd";

    /** With more, a guest's write of over 32 KiB is lost without a word. */
    private static final int DEVICE_BUFFER = 32_768;

    private static final int GUEST_CID = 3;

    /**
     * What a guest asks for names where this machine's resolver serves its loopback alone, which no guest reaches; passt
     * hands on to it what comes for names, and nothing else.
     */
    static final String RESOLVER = "169.254.1.1";

    public Helpers {
        keptFrom = List.copyOf(keptFrom);
    }

    /** Whose the workspace is, and the programs: the user that the agent runs as. */
    public record Owner(int uid, int gid) {
        /** The user of this process. */
        public static Owner self() {
            try {
                return new Owner(id("uid"), id("gid"));
            } catch (IOException e) {
                throw new UncheckedIOException("/proc/self has no owner; is /proc mounted?", e);
            }
        }

        private static int id(String kind) throws IOException {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:" + kind);
        }

        @Override
        public String toString() {
            return uid + ":" + gid;
        }
    }

    /** As {@code build-tools} of the guest lays them out. */
    public static Helpers in(Path directory, Owner owner) {
        return new Helpers(
                directory.resolve("virtiofsd"),
                directory.resolve("passt"),
                directory.resolve("pasta"),
                directory.resolve("vhost-device-vsock"),
                owner,
                List.of());
    }

    /** The same programs, with which no guest reaches the addresses, whatever it does. */
    public Helpers keptFrom(List<InetAddress> addresses) {
        return new Helpers(virtiofsd, passt, pasta, vhostDeviceVsock, owner, addresses);
    }

    /** Why guests cannot be kept from the addresses on this machine; empty when they can, or when there is none. */
    Optional<String> cordonObstacle() throws InterruptedException {
        return keptFrom.isEmpty() ? Optional.empty() : cordon().obstacle();
    }

    private Cordon cordon() {
        return new Cordon(pasta, keptFrom);
    }

    /** One owner on either side: the guest's user is the agent's. */
    ProgramSpec workspace(BootConfiguration boot) {
        Path socket = boot.directory().workspaceSocket();
        Owner served = boot.lateData() ? LateData.OWNER : owner;
        ProgramSpec spec = ProgramSpec.listening(
                WORKSPACE,
                socket,
                List.of(
                        virtiofsd.toString(),
                        "--socket-path=" + socket,
                        "--shared-dir=" + boot.workspace(),
                        // It sees nothing but the workspace.
                        "--sandbox=namespace",
                        "--translate-uid=map:" + BootConfiguration.USER + ":" + served.uid() + ":1",
                        "--translate-gid=map:" + BootConfiguration.USER + ":" + served.gid() + ":1"));
        return boot.lateData() ? LateData.prepared(spec, boot.workspace()) : spec;
    }

    /** @param more what the monitor needs it to be told */
    ProgramSpec network(BootConfiguration boot, String... more) {
        Path socket = boot.directory().networkSocket();
        List<String> argv = new ArrayList<>(List.of(
                passt.toString(),
                "--foreground",
                "--quiet",
                "--socket",
                socket.toString(),
                "--runas",
                (keptFrom.isEmpty() ? owner : Cordon.OWNER).toString(),
                // The guest would reach what this machine serves to itself only.
                "--no-map-gw",
                "--dns-forward",
                RESOLVER));
        if (!keptFrom.isEmpty()) {
            // This machine's loopback is another one: the resolver is where pasta has it.
            argv.addAll(List.of("--dns-host", RESOLVER));
        }
        argv.addAll(List.of(more));
        ProgramSpec spec = ProgramSpec.listening("passt", socket, argv);
        return keptFrom.isEmpty() ? spec : cordon().around(spec, RESOLVER);
    }

    ProgramSpec vsockDevice(BootConfiguration boot) {
        Path socket = boot.directory().vsockDeviceSocket();
        return ProgramSpec.listening(
                "vhost-device-vsock",
                socket,
                List.of(
                        vhostDeviceVsock.toString(),
                        "--vm",
                        "guest-cid=" + GUEST_CID + ",socket=" + socket + ",uds-path="
                                + boot.directory().vsock() + ",tx-buffer-size=" + DEVICE_BUFFER));
    }
}
