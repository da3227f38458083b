package io.carlos.agent.container.microvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A machine that is no more than its supervisor, a process of this one: the same wire and the same life, in a second
 * and everywhere.
 */
final class HostProcessMonitor implements VirtualMachineMonitor {
    private final List<String> launcher;

    /** @param launcher the words of a command that executes the one behind it */
    HostProcessMonitor(String... launcher) {
        this.launcher = List.of(launcher);
    }

    @Override
    public MachinePlan plan(BootConfiguration boot) {
        List<String> argv = new ArrayList<>(launcher);
        argv.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xss256k",
                "-Xshare:auto",
                "io.carlos.guest.GuestSupervisor",
                "--carlos.guest.listen=unix:" + boot.directory().vsock(),
                "--carlos.guest.boot-nonce=" + HexFormat.of().formatHex(boot.nonce())));
        return new MachinePlan(List.of(), new ProgramSpec("supervisor", argv, Optional.empty()));
    }
}
