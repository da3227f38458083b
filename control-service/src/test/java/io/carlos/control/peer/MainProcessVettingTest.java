package io.carlos.control.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.peer.MainProcessVetting.ControlGroupLines;
import io.carlos.control.peer.Verdict.Refusal;
import io.carlos.control.testing.Await;
import io.carlos.control.unit.RecordingUnitManager;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.unit.Unit;
import io.carlos.control.unit.UnitProperty;
import io.carlos.model.linux.PeerCredentials;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real connections: some from this process, some from children that can be ended. */
@Timeout(60)
class MainProcessVettingTest {
    private static final Unit EDGE = new Unit("carlos-edge.service");
    private static final String ASKED = "show -p MainPID,ControlGroup " + EDGE;
    private static final Duration BUDGET = Duration.ofSeconds(30);
    private static final int OWN = (int) ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    private final RecordingUnitManager systemd = new RecordingUnitManager();
    private Socket listener;
    private int uid;
    private String ownGroup;

    @BeforeEach
    void listen() throws IOException {
        Epoll.ensureAvailability();
        listener = Socket.newSocketDomain();
        listener.bind(new DomainSocketAddress(directory.resolve("s").toFile()));
        listener.listen(16);
        uid = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        ownGroup = Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
                .filter(line -> line.startsWith("0::"))
                .findFirst()
                .orElse("0::/")
                .substring(3);
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    private void mainProcessIs(int pid, String controlGroup) {
        systemd.showsNow(
                EDGE.name(),
                Map.of(UnitProperty.MAIN_PID, Integer.toString(pid), UnitProperty.CONTROL_GROUP, controlGroup));
    }

    private int accept() throws IOException {
        int accepted = -1;
        while (accepted < 0) {
            accepted = listener.accept(new byte[128]);
        }
        return accepted;
    }

    private MainProcessVetting vetting(int expectedUid, Duration budget) {
        return new MainProcessVetting(expectedUid, new MainProcess(systemd, EDGE), budget);
    }

    private Verdict vetOwnConnection(int expectedUid, Duration budget) throws Exception {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve("s")))) {
            int accepted = accept();
            try {
                return vetting(expectedUid, budget)
                        .vet(accepted)
                        .toCompletableFuture()
                        .get();
            } finally {
                new Socket(accepted).close();
                assertThat(client.isOpen()).isTrue();
            }
        }
    }

    private static void assertRefused(Verdict verdict, Refusal reason) {
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Refused.class,
                        refused -> assertThat(refused.reason())
                                .as(refused.detail())
                                .isEqualTo(reason));
    }

    @Test
    void theMainProcessOfTheUnitIsAdmitted() throws Exception {
        mainProcessIs(OWN, ownGroup);

        assertThat(vetOwnConnection(uid, BUDGET)).isEqualTo(new Verdict.Admitted());
    }

    @Test
    void anotherUserIsRefusedWithoutAskingSystemd() throws Exception {
        mainProcessIs(OWN, ownGroup);

        assertRefused(vetOwnConnection(uid + 1, BUDGET), Refusal.OTHER_USER);
        assertThat(systemd.calls()).isEmpty();
    }

    @Test
    void anotherProcessOfTheUserIsRefused() throws Exception {
        mainProcessIs(OWN + 1, ownGroup);

        assertRefused(vetOwnConnection(uid, BUDGET), Refusal.OTHER_PROCESS);
    }

    @Test
    void nobodyIsAdmittedWhileTheUnitDoesNotRun() throws Exception {
        mainProcessIs(0, "");

        assertRefused(vetOwnConnection(uid, BUDGET), Refusal.OTHER_PROCESS);
    }

    @Test
    void theRightNumberOutsideOfTheUnitsControlGroupIsRefused() throws Exception {
        mainProcessIs(OWN, "/carlos.slice/carlos-edge.service");

        assertRefused(vetOwnConnection(uid, BUDGET), Refusal.OUTSIDE_UNIT);
    }

    @Test
    void aControlGroupThatIsNotKnownYetAdmitsNobody() throws Exception {
        mainProcessIs(OWN, "");

        assertRefused(vetOwnConnection(uid, BUDGET), Refusal.OUTSIDE_UNIT);
    }

    @Test
    void aSystemdThatRefusesIsARefusal() throws Exception {
        systemd.refuse(ASKED, "Connection refused");

        assertRefused(vetOwnConnection(uid, BUDGET), Refusal.SYSTEMD_SILENT);
    }

    @Test
    void aSystemdThatDoesNotAnswerInTimeIsARefusal() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        systemd.when(ASKED, () -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
        });

        assertRefused(vetOwnConnection(uid, Duration.ofMillis(50)), Refusal.SYSTEMD_SILENT);
        interrupted.await();
    }

    @Test
    void aProcessThatEndedAfterItConnectedIsRefusedThoughItsNumberIsRight() throws Exception {
        Process child = new ProcessBuilder(
                        "perl",
                        "-MSocket",
                        "-e",
                        "socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])) or die; sleep 600",
                        directory.resolve("s").toString())
                .start();
        int accepted = accept();
        mainProcessIs((int) child.pid(), ownGroup);
        systemd.when(ASKED, () -> {
            child.destroyForcibly();
            child.waitFor();
        });
        try {
            assertRefused(
                    vetting(uid, BUDGET).vet(accepted).toCompletableFuture().get(), Refusal.GONE);
        } finally {
            new Socket(accepted).close();
        }
    }

    /** Its number is not free yet and its control group still told: only the pidfd knows that it has ended. */
    @Test
    void aProcessThatEndedAndIsNotReapedIsRefused() throws Exception {
        Process parent = new ProcessBuilder(
                        "perl",
                        "-MSocket",
                        "-e",
                        "if (!fork) { socket(S, PF_UNIX, SOCK_STREAM, 0);"
                                + " connect(S, sockaddr_un($ARGV[0])) or die } sleep 600",
                        directory.resolve("s").toString())
                .start();
        int accepted = accept();
        int child = PeerCredentials.of(accepted).pid();
        mainProcessIs(child, ownGroup);
        systemd.when(ASKED, () -> {
            ProcessHandle.of(child).orElseThrow().destroyForcibly();
            awaitZombie(child);
        });
        try {
            assertRefused(
                    vetting(uid, BUDGET).vet(accepted).toCompletableFuture().get(), Refusal.GONE);
            assertThat(Path.of("/proc/" + child + "/cgroup")).content().contains(ownGroup);
        } finally {
            new Socket(accepted).close();
            ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
            parent.destroyForcibly();
        }
    }

    private static void awaitZombie(int pid) throws SystemdException {
        try {
            Await.until(
                    "it has ended",
                    () -> Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z "));
        } catch (Exception e) {
            throw new SystemdException("test", e);
        }
    }

    @Test
    void aDescriptorThatIsNoSocketIsARefusal() throws Exception {
        assertRefused(vetting(uid, BUDGET).vet(9_999).toCompletableFuture().get(), Refusal.UNKNOWN);
    }

    @Test
    void anAnswerIsRememberedForASecondAndNotLonger() throws Exception {
        AtomicLong now = new AtomicLong();
        MainProcess mainProcess = new MainProcess(systemd, EDGE, now::get);
        mainProcessIs(1, "/a");
        assertThat(mainProcess.get().pid()).isEqualTo(1);
        mainProcessIs(2, "/a");

        now.set(Duration.ofMillis(999).toNanos());
        assertThat(mainProcess.get().pid()).isEqualTo(1);
        now.set(Duration.ofMillis(1_000).toNanos());
        assertThat(mainProcess.get().pid()).isEqualTo(2);
        assertThat(systemd.calls()).containsExactly(ASKED, ASKED);
    }

    @Test
    void aFailureIsNotRemembered() throws Exception {
        MainProcess mainProcess = new MainProcess(systemd, EDGE);
        systemd.refuse(ASKED, "not now");
        assertThatThrownBy(mainProcess::get).hasMessageContaining("not now");

        systemd.when(ASKED, () -> {});
        mainProcessIs(7, "/a");
        assertThat(mainProcess.get().pid()).isEqualTo(7);
    }

    @Test
    void aGroupHoldsItselfAndWhatIsBelowButNotItsNeighbours() {
        String group = "/carlos.slice/carlos-edge.service";
        assertThat(ControlGroupLines.isIn(group, List.of("0::" + group))).isTrue();
        assertThat(ControlGroupLines.isIn(group, List.of("0::" + group + "/main")))
                .isTrue();
        assertThat(ControlGroupLines.isIn(group, List.of("0::" + group + "2"))).isFalse();
        assertThat(ControlGroupLines.isIn(group, List.of("0::/carlos.slice"))).isFalse();
        assertThat(ControlGroupLines.isIn(group, List.of("1:memory:" + group))).isFalse();
        assertThat(ControlGroupLines.isIn("", List.of("0::/"))).isFalse();
        assertThat(ControlGroupLines.isIn(group, List.of())).isFalse();
    }
}
