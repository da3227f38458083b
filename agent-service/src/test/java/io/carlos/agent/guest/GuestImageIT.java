package io.carlos.agent.guest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.agent.container.microvm.Guest.Health;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only a whole machine shows: the image's boot, its supervisor as process 1, and its end. One machine is enough. */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GuestImageIT {
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final int UID = 1000;
    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/usr/bin:/bin");

    /** Connects from within the guest to a CID, and says how many bytes came until the end. */
    private static final String CONNECT = """
            socket(my $socket, 40, 1, 0) or die "socket: $!";
            connect($socket, pack("SSLLL", 40, 0, 1024, $ARGV[0], 0)) or die "connect: $!";
            my $count = 0;
            while (my $read = sysread($socket, my $buffer, 4096)) { $count += $read }
            print "$count bytes"
            """;

    @TempDir
    private static Path directory;

    private static Path workspace;
    private static EventLoopGroup loop;
    private static LoopbackResolver resolver;
    private static String noResolver;
    private static GuestMachine machine;
    private static GuestClient client;
    private static Health health;
    private static CommandException early;

    @BeforeAll
    static void boot() throws Exception {
        GuestMachine.requireImage();
        workspace = Files.createDirectory(directory.resolve("workspace"));
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        long start = System.nanoTime();
        machine = boot(directory.resolve("console"));
        client = machine.awaitSupervisor(loop);
        System.out.println("the guest answered after "
                + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
        health = client.health(BOUND);
        early = catchThrowableOfType(CommandException.class, () -> client.exec(ExecSpec.of("true")));
        client.provision(UID, ENVIRONMENT);
    }

    /** Names are this test's, where it may have a resolver. */
    private static GuestMachine boot(Path console) throws IOException {
        try {
            resolver = LoopbackResolver.open();
        } catch (SocketException e) {
            noResolver = "no resolver at " + LoopbackResolver.ADDRESS + ": " + e.getMessage();
            return GuestMachine.boot(workspace, console);
        }
        Path resolvConf = directory.resolve("resolv.conf");
        Files.writeString(resolvConf, "nameserver " + LoopbackResolver.ADDRESS + "\n");
        return GuestMachine.bootWith(resolvConf, workspace, console);
    }

    @AfterAll
    static void end() throws Exception {
        if (client != null) {
            client.close();
        }
        if (machine != null) {
            machine.close();
        }
        if (resolver != null) {
            resolver.close();
        }
        if (loop != null) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        }
    }

    private static ExecOutput exec(String... command) throws IOException, InterruptedException {
        return client.exec(ExecSpec.of(command).withTimeout(BOUND));
    }

    /** Of a command that must succeed, without what surrounds it. */
    private static String outputOf(String script, String... arguments) throws IOException, InterruptedException {
        String[] command = new String[3 + arguments.length + 1];
        System.arraycopy(new String[] {"sh", "-c", script, "sh"}, 0, command, 0, 4);
        System.arraycopy(arguments, 0, command, 4, arguments.length);
        ExecOutput output = exec(command);
        assertThat(output.exitCode()).as(new String(output.stderr(), UTF_8)).isZero();
        return new String(output.stdout(), UTF_8).strip();
    }

    @Test
    void aBootedGuestShowsItsNonceAndAllItsParts() throws Exception {
        assertThat(HexFormat.of().formatHex(health.bootNonce()))
                .isEqualTo(machine.said("nonce").orElseThrow());
        assertThat(health.networkUp()).isTrue();
        assertThat(health.workspaceMounted()).isTrue();
    }

    @Test
    void aCommandBeforeProvisionIsRefused() {
        assertThat(early.reason()).isEqualTo(Reason.NOT_READY);
    }

    @Test
    void process1IsTheSupervisor() throws Exception {
        assertThat(outputOf("tr '\\0' '\\n' </proc/1/cmdline")).contains("java", "io.carlos.guest.GuestSupervisor");
    }

    @Test
    void allProcessorsAreUp() throws Exception {
        assertThat(outputOf("nproc")).isEqualTo("2");
    }

    @Test
    void commandsAreTheDefaultUserAndNobodyElse() throws Exception {
        assertThat(outputOf("id -u; id -g; id -G; id -un")).isEqualTo("1000\n1000\n1000\ncarlos");
        assertThat(outputOf("grep -E '^(Cap|NoNewPrivs)' /proc/self/status | tr -d '\\t'"))
                .isEqualTo("""
                        CapInh:0000000000000000
                        CapPrm:0000000000000000
                        CapEff:0000000000000000
                        CapBnd:0000000000000000
                        CapAmb:0000000000000000
                        NoNewPrivs:1""");
    }

    @Test
    void uid0IsRefused() {
        CommandException refusal = catchThrowableOfType(
                CommandException.class, () -> client.exec(ExecSpec.of("id").withUid(0)));
        assertThat(refusal.reason()).isEqualTo(Reason.DENIED);
    }

    @Test
    void everyCommandHasAControlGroupOfItsOwn() throws Exception {
        assertThat(outputOf("cat /proc/self/cgroup")).startsWith("0::/execs/exec-");
    }

    @Test
    void theRootFileSystemCannotBeWritten() throws Exception {
        assertThat(outputOf("grep ' / ' /proc/mounts")).contains(" erofs ro,");
    }

    @Test
    void temporaryDirectoriesAndTheHomeCanBeWritten() throws Exception {
        assertThat(outputOf("for d in /tmp /var/tmp /dev/shm /home/carlos /workspace; do touch $d/x && rm $d/x; done"))
                .isEmpty();
    }

    @Test
    void aFileOfTheGuestIsTheHostUsersOwn() throws Exception {
        outputOf("echo from the guest >/workspace/out");
        Path out = workspace.resolve("out");
        assertThat(out).hasContent("from the guest\n");
        assertThat(Files.getOwner(out)).isEqualTo(Files.getOwner(workspace));
    }

    @Test
    void aFileOfTheHostIsReadInTheGuest() throws Exception {
        Files.writeString(workspace.resolve("in"), "from the host");
        assertThat(outputOf("cat /workspace/in")).isEqualTo("from the host");
    }

    @Test
    void theNetworkHasAWayOut() throws Exception {
        assertThat(outputOf("awk '$2 == \"00000000\" { print $1 }' /proc/net/route"))
                .isEqualTo("eth0");
        assertThat(outputOf("grep 127.0.0.1 /proc/net/fib_trie")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "use-vc"})
    void namesAreResolvedByAHostsResolverThatServesTheHostAlone(String options) throws Exception {
        Assumptions.assumeTrue(resolver != null, noResolver);
        assertThat(outputOf("RES_OPTIONS=$1 getent hosts name.test", options)).startsWith(LoopbackResolver.ANSWER);
    }

    @Test
    void whatTheHostServesToItselfIsOutOfReach() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String gateway = outputOf("""
                    awk '$2 == "00000000" { print $3 }' /proc/net/route |
                      sed -E 's/(..)(..)(..)(..)/printf "%d.%d.%d.%d" 0x\\4 0x\\3 0x\\2 0x\\1/' | sh""");
            ExecOutput output =
                    exec("timeout", "10", "bash", "-c", "exec 3<>/dev/tcp/" + gateway + "/" + listener.getLocalPort());
            assertThat(output.exitCode()).as(gateway).isNotZero();
        }
    }

    @Test
    void connectionsFromWithinTheGuestAreClosedWithoutAByte() throws Exception {
        assertThat(outputOf("perl -e \"$1\" 1", CONNECT)).isEqualTo("0 bytes");
        assertThat(outputOf("perl -e \"$1\" 3", CONNECT)).isEqualTo("0 bytes");
    }

    @Test
    void outputLargerThanTheDevicesBufferArrivesWhole() throws Exception {
        ExecOutput output = exec("sh", "-c", "head -c 5000000 /dev/urandom | tee /workspace/random");
        assertThat(output.stdout()).isEqualTo(Files.readAllBytes(workspace.resolve("random")));
    }

    @Test
    void inputLargerThanTheDevicesBufferArrivesWhole() throws Exception {
        byte[] input = new byte[1_500_000];
        new Random(1).nextBytes(input);
        client.exec(ExecSpec.of("sh", "-c", "cat >/workspace/input")
                .withStdin(input)
                .withTimeout(BOUND));
        assertThat(Files.readAllBytes(workspace.resolve("input"))).isEqualTo(input);
    }

    @Test
    void orphansLeaveNoZombie() throws Exception {
        outputOf("i=0; while [ $i -lt 1000 ]; do (true &); i=$((i+1)); done");
        assertThat(outputOf("""
                i=0
                while grep -qs '^State:.Z' /proc/[0-9]*/status && [ $i -lt 100 ]; do sleep 0.1; i=$((i+1)); done
                grep -ls '^State:.Z' /proc/[0-9]*/status || true""")).isEmpty();
    }

    @Test
    void aKilledCommandTakesAlongWhoeverLeftItsSession() throws Exception {
        StreamingExec exec = client.execStreaming(
                StreamingExecSpec.of("sh", "-c", "setsid env -i sleep 1000 & echo $!; exec sleep 1000"));
        String escaped;
        try (exec;
                BufferedReader lines = new BufferedReader(new InputStreamReader(exec.stdout(), UTF_8))) {
            escaped = lines.readLine();
        }
        assertThat(outputOf(
                        "i=0; while [ -d /proc/$1 ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i+1)); done; echo $i",
                        escaped))
                .isNotEqualTo("100");
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void aStoppedGuestEndsItsCommandsAndItsMachine() throws Exception {
        try (StreamingExec exec = client.execStreaming(StreamingExecSpec.of(
                "sh", "-c", "trap 'echo ended >/workspace/last; exit' TERM; echo; while :; do sleep 0.1; done"))) {
            assertThat(exec.stdout().read()).isEqualTo('\n');
            client.stopGuest(BOUND);
            assertThat(machine.awaitExit()).as(machine.console()).isZero();
        }
        assertThat(workspace.resolve("last")).hasContent("ended\n");
    }
}
