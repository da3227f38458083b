package io.carlos.control.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.control.testing.KernelCgroup;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same waits, with real processes in a control group of the kernel's. */
@Timeout(60)
class KernelCgroupTest {
    private static final UnitName UNIT = UnitName.of(Role.CMD, Host.of("a.example.com"));

    @Test
    void aWaitEndsWithTheLastProcess() throws Exception {
        try (KernelCgroup cgroup = KernelCgroup.require(UNIT);
                CgroupWatch watch = CgroupWatch.open(cgroup.root(), (empty, time) -> {})) {
            assertThat(watch.isEmpty(UNIT)).isTrue();
            Process first = new ProcessBuilder("sleep", "600").start();
            Process second = new ProcessBuilder("sleep", "600").start();
            cgroup.take(first);
            cgroup.take(second);
            FutureTask<Boolean> wait = new FutureTask<>(() -> watch.awaitEmpty(UNIT, Duration.ofSeconds(30)));
            Thread.ofVirtual().start(wait);

            first.destroyForcibly().waitFor();
            assertThat(watch.awaitEmpty(UNIT, Duration.ofMillis(20))).isFalse();
            assertThat(wait.isDone()).isFalse();

            second.destroyForcibly().waitFor();
            assertThat(wait.get()).isTrue();
        }
    }
}
