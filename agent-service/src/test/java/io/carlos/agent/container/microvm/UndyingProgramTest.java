package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.Mount;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of programs that a kill does not end, or not yet. */
@Timeout(60)
class UndyingProgramTest {
    @TempDir
    private Path directory;

    private SessionDirectory sessionDirectory() throws IOException {
        return SessionDirectory.create(directory, ContainerId.random(new SecureRandom()));
    }

    /** As if the kernel held a program, until it is told. */
    private static final class HeldMachine extends Machine {
        private List<String> alive = List.of("virtiofsd");

        HeldMachine(SessionDirectory directory, Path workspace) {
            super(directory, "one", workspace);
        }

        @Override
        List<String> kill() {
            return alive;
        }
    }

    @Test
    void sessionIsNotStoppedBeforeItsProgramsAreGone() throws Exception {
        SessionDirectory sessionDirectory = sessionDirectory();
        HeldMachine machine = new HeldMachine(sessionDirectory, directory);
        CompletableFuture<Void> gone = new CompletableFuture<>();
        Session session = new Session(
                ContainerSpec.of("one", Mount.readWrite(directory, BootConfiguration.WORKSPACE), 1000, Map.of()),
                sessionDirectory,
                directory,
                machine,
                () -> gone.complete(null));
        assertThatThrownBy(() -> session.stop(Duration.ZERO))
                .isInstanceOf(ContainerException.class)
                .hasMessageContaining("does not die: virtiofsd");
        assertThat(gone).isNotDone();
        machine.alive = List.of();
        session.stop(Duration.ZERO);
        assertThat(gone).isCompleted();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void programThatCannotBeFollowedIsKilledAndReaped(int threadThatLacks) throws Exception {
        Set<ProcessStat.Identity> before = children();
        AtomicInteger threads = new AtomicInteger();
        assertThatThrownBy(() -> Program.start(
                        new ProgramSpec("machine", List.of("/bin/sleep", "3908"), Optional.empty()),
                        sessionDirectory(),
                        Map.of("PATH", "/usr/bin:/bin"),
                        (name, work) -> {
                            if (threads.incrementAndGet() == threadThatLacks) {
                                throw new OutOfMemoryError("unable to create native thread");
                            }
                            Thread.ofPlatform().daemon().start(work);
                        }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(children()).isEqualTo(before);
    }

    /** Also those that have ended and that nobody reaped. */
    private static Set<ProcessStat.Identity> children() throws IOException {
        long self = ProcessHandle.current().pid();
        return ProcFs.processes().stream()
                .filter(process -> process.parent() == self)
                .map(ProcessStat::identity)
                .collect(Collectors.toSet());
    }

    @Test
    void killThatIsInterruptedLeavesNothing() throws Exception {
        Path holder = directory.resolve("holder");
        // What left its group holds its output, for which a kill waits a while.
        String script = "setsid sh -c 'echo $$ > " + holder + ".new; mv " + holder + ".new " + holder
                + "; exec sleep 3908' & exec sleep 3908";
        Program program = Program.start(
                new ProgramSpec("machine", List.of("/bin/sh", "-c", script), Optional.empty()),
                sessionDirectory(),
                Map.of("PATH", "/usr/bin:/bin"));
        while (!Files.exists(holder)) {
            assertThat(program.hasEnded()).isFalse();
            Thread.onSpinWait();
        }
        try {
            CompletableFuture<Boolean> gone = new CompletableFuture<>();
            Thread killer = Thread.ofPlatform().start(() -> gone.complete(program.kill()));
            program.ended().get();
            while (killer.isAlive()) {
                killer.interrupt();
                Thread.onSpinWait();
            }
            assertThat(gone).isCompletedWithValue(true);
        } finally {
            ProcessHandle.of(Long.parseLong(Files.readString(holder).strip()))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
