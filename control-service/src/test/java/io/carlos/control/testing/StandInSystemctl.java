package io.carlos.control.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A program in the place of systemctl: it says which process is the main one, runs the probe, and knows no unit. */
public final class StandInSystemctl {
    private final Path program;
    private final Path mainPid;

    private StandInSystemctl(Path program, Path mainPid) {
        this.program = program;
        this.mainPid = mainPid;
    }

    /**
     * @param report what the probe writes
     * @param output where
     */
    public static StandInSystemctl in(Path directory, String report, Path output) throws IOException {
        Path mainPid = directory.resolve("main-pid");
        Path reportFile = Files.writeString(directory.resolve("report"), report);
        Path program = directory.resolve("systemctl");
        Files.writeString(program, """
                #!/bin/sh
                case "$*" in
                'show -p MainPID,ControlGroup '*) echo "MainPID=$(cat %s)"; echo ControlGroup=/ ;;
                'start carlos-instance-probe.service') cp %s %s ;;
                'show -p InvocationID --value '*) echo ;;
                show*) printf '%%s\\n' InvocationID= ActiveState=inactive SubState=dead Result= ExecMainStatus= ExecMainCode= ;;
                esac
                """.formatted(mainPid, reportFile, output));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        StandInSystemctl systemctl = new StandInSystemctl(program, mainPid);
        systemctl.mainProcessIs(ProcessHandle.current().pid());
        return systemctl;
    }

    public Path program() {
        return program;
    }

    public void mainProcessIs(long pid) throws IOException {
        Path next = Files.writeString(mainPid.resolveSibling("main-pid.next"), Long.toString(pid));
        Files.move(next, mainPid, StandardCopyOption.ATOMIC_MOVE);
    }
}
