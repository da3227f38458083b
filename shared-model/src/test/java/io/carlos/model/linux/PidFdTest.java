package io.carlos.model.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PidFdTest {
    private static final int SIGTERM = 15;
    private static final int OWN_PID = Math.toIntExact(ProcessHandle.current().pid());

    private final int[] sockets = {-1, -1};

    @AfterEach
    void closeSockets() {
        for (int socket : sockets) {
            LinuxTestCalls.LIBC.close(socket);
        }
    }

    @Test
    void credentialsOfThePeerAreItsProcessAndUser() throws IOException {
        connectSockets();

        assertThat(PeerCredentials.of(sockets[0]))
                .matches(peer -> peer.pid() == OWN_PID)
                .matches(peer -> peer.uid() == LinuxTestCalls.LIBC.geteuid());
    }

    @Test
    void credentialsOfWhatIsNoSocketAreRefused() {
        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> PeerCredentials.of(-1))
                .withMessage("getsockopt SO_PEERCRED: descriptor -1: EBADF: not an open descriptor of this kind");
    }

    @Test
    void peerIsHeldWhileItLives() throws IOException {
        connectSockets();

        switch (PidFd.ofPeer(sockets[0])) {
            case PidFd.Peer.Held(PidFd pidFd) -> {
                assertThat(pidFd.isAlive()).isTrue();
                assertThat(pidFd.pid()).hasValue(OWN_PID);
                pidFd.close();
            }
            case PidFd.Peer.Unsupported() ->
                System.out.println("not tested: a peer's pidfd: the kernel is older than 6.5");
            case PidFd.Peer.Gone() -> throw new AssertionError("this process is there");
        }
    }

    @Test
    void kernelWithoutTheOptionIsToldApartFromAPeerThatIsGone() throws IOException {
        assertThat(PidFd.withoutPidFd(refusal(Errno.ENOPROTOOPT))).isInstanceOf(PidFd.Peer.Unsupported.class);
        assertThat(PidFd.withoutPidFd(refusal(Errno.ESRCH))).isInstanceOf(PidFd.Peer.Gone.class);
        assertThat(PidFd.withoutPidFd(refusal(Errno.EINVAL))).isInstanceOf(PidFd.Peer.Gone.class);
        assertThat(PidFd.withoutPidFd(refusal(Errno.ENODATA))).isInstanceOf(PidFd.Peer.Gone.class);
        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> PidFd.withoutPidFd(refusal(Errno.EMFILE)))
                .matches(e -> e.is(Errno.EMFILE));
    }

    @Test
    void signalledProcessIsNoLongerAliveAndHasNoPid() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        try (PidFd pidFd = PidFd.open(Math.toIntExact(process.pid()))) {
            assertThat(pidFd.isAlive()).isTrue();
            assertThat(pidFd.pid()).hasValue(Math.toIntExact(process.pid()));

            pidFd.signal(SIGTERM);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();

            assertThat(pidFd.isAlive()).isFalse();
            assertThat(pidFd.pid()).isEmpty();
            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(() -> pidFd.signal(SIGTERM))
                    .matches(e -> e.is(Errno.ESRCH));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void openOfAProcessThatIsNotThereIsRefused() {
        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> PidFd.open(Integer.MAX_VALUE))
                .withMessage("pidfd_open: process 2147483647: ESRCH: no such process");
    }

    private void connectSockets() {
        int result = LinuxTestCalls.LIBC.socketpair(LinuxTestCalls.AF_UNIX, LinuxTestCalls.SOCK_STREAM, 0, sockets);
        assertThat(result).isZero();
    }

    private static LinuxException refusal(Errno errno) {
        return new LinuxException("getsockopt SO_PEERPIDFD", "descriptor 7", errno.number());
    }
}
