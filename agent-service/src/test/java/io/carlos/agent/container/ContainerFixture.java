package io.carlos.agent.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What the rows of the contract share: one running container of the runtime under test, and more where one must end. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ContainerFixture {
    /** Bounds every wait for something that should come soon. */
    protected static final Duration BOUND = Duration.ofMinutes(2);

    protected static final Duration LONG_GRACE = Duration.ofMinutes(1);

    private final AtomicInteger names = new AtomicInteger();

    /** The runtime under test. */
    protected abstract ContainerRuntime runtime();

    /** A container that runs, and that no row may end. */
    protected abstract ContainerId shared();

    /** This machine's directory that the specification's containers have at {@link #workspaceInside}. */
    protected abstract Path workspace();

    protected abstract String workspaceInside();

    /** One that commands may run as, and that may write the workspace. */
    protected abstract int uid();

    /** One that commands may run as, and that nobody has given a name. */
    protected int unknownUid() {
        return uid();
    }

    /** Of a container whose name is free. */
    protected final ContainerSpec spec() {
        return spec("container-" + names.incrementAndGet());
    }

    protected final ContainerSpec spec(String name) {
        return ContainerSpec.of(
                name, Mount.readWrite(workspace(), workspaceInside()), uid(), Map.of("PATH", "/usr/bin:/bin"));
    }

    /** A container of its own that runs. */
    protected final ContainerId started() throws IOException, InterruptedException {
        return started(spec());
    }

    protected final ContainerId started(ContainerSpec spec) throws IOException, InterruptedException {
        ContainerId id = runtime().create(spec);
        runtime().start(id);
        return id;
    }

    protected final ExecOutput exec(ExecSpec spec) throws IOException, InterruptedException {
        return runtime().exec(shared(), spec);
    }

    protected final ExecOutput shell(String script) throws IOException, InterruptedException {
        return exec(ExecSpec.of("sh", "-c", script));
    }

    /** Of a script that must succeed. */
    protected final String outputOf(String script) throws IOException, InterruptedException {
        ExecOutput output = shell(script);
        assertThat(output.exitCode()).as(text(output.stderr())).isZero();
        return text(output.stdout());
    }

    protected final StreamingExec stream(String script) throws IOException, InterruptedException {
        return runtime().execStreaming(shared(), StreamingExecSpec.of("sh", "-c", script));
    }

    protected final Reason refusal(ExecSpec spec) {
        return catchThrowableOfType(CommandException.class, () -> exec(spec)).reason();
    }

    protected static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    protected static String text(InputStream stream) throws IOException {
        return text(stream.readAllBytes());
    }

    /** Waits until the container says whether anybody in it sleeps for so many seconds. */
    protected final void awaitSleeping(ContainerId id, String seconds, boolean expected) throws Exception {
        // What looks has the words among its own, so it does not write them as they are looked for.
        String script =
                "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline 2>/dev/null | grep -qx \"sleep $1 \" && exit 0;"
                        + " done; exit 1";
        await(
                "somebody who sleeps " + seconds + ": " + expected,
                () -> (runtime()
                                        .exec(id, ExecSpec.of("sh", "-c", script, "sh", seconds))
                                        .exitCode()
                                == 0)
                        == expected);
    }

    protected static void await(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            assertThat(System.nanoTime() - start).as(what).isLessThan(BOUND.toNanos());
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
