package io.carlos.deploy.inside;

import java.nio.file.Path;

/**
 * Another box of the same store, until this is closed: an agent that has its own name and its own data. It shares the
 * machine, whose units are the first box's, and so has no instances that run and executes commands as plain processes.
 */
final class SecondBox implements AutoCloseable {
    static final String NAME = "second";

    private static final String UNIT = "second-box.service";
    private static final Path DATA = Path.of("/srv/second/data");
    private static final Path RUN = Path.of("/srv/second/run");

    SecondBox() {
        Command.of("install", "-d", "-o", "carlos", "-g", "carlos", DATA.toString(), RUN.toString())
                .output();
        Command.of(
                        "systemd-run",
                        "--quiet",
                        "--unit=" + UNIT,
                        "--uid=carlos",
                        "--gid=carlos",
                        "--property=Type=notify",
                        "--property=NotifyAccess=main",
                        "/usr/share/carlos/bin/agent-service",
                        "--carlos.agent.box=" + NAME,
                        "--carlos.agent.isolations=process",
                        "--carlos.agent.data=" + DATA,
                        "--carlos.agent.run=" + RUN)
                .output();
    }

    Path data() {
        return DATA;
    }

    @Override
    public void close() {
        Command.systemctl("stop", UNIT).output();
    }
}
