package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.StatusFile.Cause;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command of one host can do to another host, which runs, and to the box. */
@InsideBox
class NeighbourInBox {
    private static final Tenant VICTIM = new Tenant("victim.example.com");
    private static final Tenant ATTACKER = new Tenant("attacker.example.com");
    private static final InstanceId VICTIM_ID = InstanceId.of("victim.example.com");

    private static final int QUEUE_OF_THE_VICTIM = 4711;
    private static final int QUEUE_OF_THE_BOX = 4712;

    /** keyctl(2) on amd64, for a session's keyring of its own. */
    private static final String JOIN_A_KEYRING = "syscall(250, 1, 0) >= 0 or die $!";

    @BeforeAll
    static void startTheVictim() {
        VICTIM.with(
                Role.RUN,
                "echo secret > \"$DATA/secret\"; touch \"$RUN/socket\" /dev/shm/secret\n"
                        + createQueue(QUEUE_OF_THE_VICTIM) + "&& " + openQueue(QUEUE_OF_THE_VICTIM)
                        + "&& touch \"$DATA/ready\"; exec sleep 1000\n");
        VICTIM.start(Role.RUN);
        VICTIM.awaitFile("ready");
    }

    @AfterAll
    static void stopTheVictim() {
        VICTIM.stop(Role.RUN);
        VICTIM.forget(Role.RUN);
    }

    @Test
    void seesItsOwnDirectoriesOnly() {
        assertThat(attack("ls -A /data /data/instances /run/carlos /run/carlos/instances")
                        .lines())
                .containsExactly(
                        "/data:",
                        "instances",
                        "",
                        "/data/instances:",
                        "attacker.example.com",
                        "",
                        "/run/carlos:",
                        "instances",
                        "",
                        "/run/carlos/instances:",
                        "attacker.example.com");
    }

    @Test
    void seesNoProcessButItsOwn() {
        String processes = attack("cat /proc/[0-9]*/cmdline | tr '\\0' ' '");

        assertThat(processes).contains("instance-exec cmd attacker.example.com").doesNotContain("sleep", "victim");
    }

    /** The same reads of root's: the paths are right, and what is there can be read. */
    @Test
    void theVictimIsThere() throws IOException {
        assertThat(VICTIM.data().resolve("secret")).hasContent("secret\n");
        assertThat(BoxPaths.DEFAULT.instanceRun(VICTIM_ID).resolve("socket")).exists();
        assertThat(Command.of("pgrep", "--full", "sleep 1000").output()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The other host, by each path that it has.
                "cat /data/instances/victim.example.com/secret",
                "cat /data/.instances/victim.example.com/secret",
                "ls /run/carlos/instances/victim.example.com",
                "ls /run/carlos/.instances/victim.example.com",
                // The agent, which has the same user.
                "ls /run/carlos/agent",
                "ls /run/carlos/logs",
                "ls /run/carlos/.logs",
                "ls /run/carlos-control",
                "ls /etc/carlos",
                "cat /etc/carlos/probe-secret",
                "ls /run/credentials",
                "ls /run/dbus",
                "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(\"/run/carlos-control/control.sock\") or die $!'",
                "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(\"/run/systemd/private\") or die $!'",
                "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(\"/run/dbus/system_bus_socket\") or die $!'",
                "systemctl stop carlos-instance@victim.example.com.service",
                // The box.
                "touch /written",
                "touch /usr/written",
                "touch /etc/written",
                "touch /run/written",
                "touch /data/written",
                "touch /data/instances/written",
                "touch /run/carlos/instances/written",
                "touch /var/written",
                "touch /var/lib/written",
                "touch /dev/written",
                "mkdir /sys/fs/cgroup/written",
                "echo 1 > /proc/sys/kernel/sysrq",
                "unshare --user true",
                "mount -t tmpfs none /mnt",
                // Links of its own.
                "ln -sf /etc/hostname \"$DATA/link\"; cat \"$DATA/link\"",
                "ln -sf /etc/hostname \"$RUN/link\"; cat \"$RUN/link\"",
            })
    void cannot(String command) {
        String program = command.substring(0, command.indexOf(' '));

        assertThat(attack("command -v " + program + " >/dev/null || { echo missing: " + program + "; exit; }\n" + "if ("
                        + command + ") 2>/dev/null >/dev/null; then echo done; else echo refused; fi"))
                .isEqualTo("refused");
    }

    /** What is refused above is not refused because nothing works. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "touch \"$DATA/written\"",
                "touch \"$RUN/written\"",
                "touch /tmp/written",
                "cat /etc/hostname",
                "ls /proc/self",
                "sleep 10 & kill $!",
                "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => \"$ENV{RUN}/$$\", Listen => 1) or die $!'",
            })
    void can(String command) {
        assertThat(attack("if (" + command + ") >/dev/null; then echo done; else echo refused; fi"))
                .isEqualTo("done");
    }

    /** Keys are counted for the user, who is the agent too. */
    @Test
    void makesNoKeyring() {
        Command.of("perl", "-e", JOIN_A_KEYRING).output(); // the box can

        assertThat(attack("perl -e '" + JOIN_A_KEYRING + "'")).startsWith("Operation not permitted");
    }

    /** What the two see of /tmp is not the same. */
    @Test
    void theirTemporaryFilesAreApart() throws IOException {
        Path planted = Path.of("/tmp/planted");
        Files.writeString(planted, "of the box");
        try {
            assertThat(attack("ls -A /tmp /var/tmp").lines()).containsExactly("/tmp:", "", "/var/tmp:");
        } finally {
            Files.delete(planted);
        }
    }

    /** One user has all of it: the victim, the attacker, and the agent outside of any namespace. */
    @Test
    void sharedMemoryAndQueuesAreApart() {
        Path ofTheBox = Path.of("/dev/shm/of-the-agent");
        ofTheAgent("touch " + ofTheBox);
        ofTheAgent(createQueue(QUEUE_OF_THE_BOX));
        try {
            ofTheAgent(openQueue(QUEUE_OF_THE_BOX));

            assertThat(attack("ls -A /dev/shm /dev/mqueue\n"
                                    + openQueue(QUEUE_OF_THE_VICTIM) + "&& echo victim\n"
                                    + openQueue(QUEUE_OF_THE_BOX) + "&& echo box\n"
                                    + createQueue(QUEUE_OF_THE_BOX) + "&& echo own\n")
                            .lines())
                    .containsExactly("/dev/mqueue:", "", "/dev/shm:", "own");
            assertThat(Path.of("/dev/shm/secret")).doesNotExist();
        } finally {
            ofTheAgent("rm " + ofTheBox);
            ofTheAgent("ipcrm --queue-key " + QUEUE_OF_THE_BOX);
        }
    }

    /** The agent's user may read the credentials of the agent's units, so it is a matter of sight alone. */
    @Test
    void credentialsOfTheAgentAreOutOfSight() throws IOException {
        Path unit = Path.of("/run/systemd/system/agents-credentials.service");
        String secret = "/run/credentials/agents-credentials.service/secret";
        Files.writeString(unit, """
                [Service]
                User=carlos
                SetCredential=secret:of the agent
                ExecStart=/usr/bin/sleep infinity
                """);
        Command.systemctl("daemon-reload").output();
        Command.systemctl("start", unit.getFileName().toString()).output();
        try {
            ofTheAgent("grep --quiet 'of the agent' " + secret);

            assertThat(attack("for path in /run/credentials " + secret.replace("/secret", "") + " " + secret
                            + "; do test -e $path && echo $path; done; cat " + secret + " 2>/dev/null || echo refused"))
                    .isEqualTo("refused");
        } finally {
            Command.systemctl("stop", unit.getFileName().toString()).output();
            Files.delete(unit);
            Command.systemctl("daemon-reload").output();
        }
    }

    @Test
    void sharedMemoryIsBounded() {
        assertThat(attack("head -c 80M /dev/zero > /dev/shm/big || ls -s --block-size=1M /dev/shm/big"))
                .endsWith("64 /dev/shm/big");
    }

    /** The box's own has little room left; who fills its own takes nothing of that, and who is started needs nothing of it. */
    @Test
    void whoFillsItsTemporaryFilesKeepsNobodyFromStarting() {
        Tenant neighbour = new Tenant("neighbour.example.com");
        long names = names("%c", "/tmp");
        Command.of("mount", "-o", "remount,nr_inodes=" + (names - names("%d", "/tmp") + 500), "/tmp")
                .output();
        try {
            ATTACKER.with(
                    Role.RUN,
                    "perl -e 'for (1..2000) { symlink(\"none\", \"/tmp/$_\") or last }'\n"
                            + "touch \"$DATA/full\"; exec sleep 1000\n");
            ATTACKER.start(Role.RUN);
            ATTACKER.awaitFile("full");
            assertThat(names("%d", "/tmp")).isGreaterThan(400);

            neighbour.with(Role.RUN, "touch \"$DATA/ready\"; exec sleep 1000\n");
            neighbour.start(Role.RUN);
            neighbour.awaitFile("ready");
        } finally {
            Command.of("mount", "-o", "remount,nr_inodes=" + names, "/tmp").output();
            for (Tenant tenant : List.of(ATTACKER, neighbour)) {
                tenant.stop(Role.RUN);
                tenant.forget(Role.RUN);
            }
        }
    }

    /** @param of %c for how many a file system has room for, %d for how many are left */
    private static long names(String of, String path) {
        return Long.parseLong(
                Command.of("stat", "--file-system", "--format=" + of, path).output());
    }

    /** One file system for all run directories, but not the box's own: the box goes on, and so does who runs already. */
    @Test
    void aFullRunDirectoryLeavesTheBoxItsOwn() {
        Path room = Path.of("/run/carlos/.instances");
        Command.of("mount", "-o", "remount,size=1M", room.toString()).output();
        try {
            assertThat(attack("head -c 2M /dev/zero > \"$RUN/full\" || echo full; rm \"$RUN/full\""))
                    .endsWith("full");
            assertThat(freeBytes("/run")).isGreaterThan(1024 * 1024);
            assertThat(VICTIM.isPopulated(Role.RUN)).isTrue();
        } finally {
            Command.of("mount", "-o", "remount,size=200%", room.toString()).output();
        }
    }

    private static long freeBytes(String path) {
        return Long.parseLong(
                        Command.of("stat", "--file-system", "--format=%a", path).output())
                * Long.parseLong(
                        Command.of("stat", "--file-system", "--format=%S", path).output());
    }

    private static String createQueue(int key) {
        return "perl -e 'exit(defined(msgget(" + key + ", 01600)) ? 0 : 1)' ";
    }

    private static String openQueue(int key) {
        return "perl -e 'exit(defined(msgget(" + key + ", 0600)) ? 0 : 1)' ";
    }

    private static void ofTheAgent(String command) {
        Command.of("setpriv", "--reuid=carlos", "--regid=carlos", "--clear-groups", "sh", "-c", command)
                .output();
    }

    /** What the command wrote. */
    private static String attack(String command) {
        ATTACKER.deleteFile("output");
        ATTACKER.with(Role.CMD, "exec > \"$DATA/output\" 2>&1\n" + command + "\n")
                .startWithoutWaiting(Role.CMD);
        InvocationId invocation = ATTACKER.invocation(Role.CMD);
        assertThat(ATTACKER.awaitStatus(Role.CMD, invocation).cause()).isEqualTo(Cause.EXITED);
        ATTACKER.stop(Role.CMD);
        ATTACKER.forget(Role.CMD);
        return ATTACKER.readFile("output").strip();
    }
}
