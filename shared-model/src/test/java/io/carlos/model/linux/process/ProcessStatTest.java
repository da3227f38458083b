package io.carlos.model.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProcessStatTest {
    private static final String AFTER_THE_COMMAND = " %s 1 42 43 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 %d 0 7777 %d 110 "
            + "18446744073709551615 1 2 3 4 5 0 0 0 0 0 0 0 17 0 0 0 0 0 0 6 7 8 9 10 11 %d 0\n";

    private static ProcessStat parse(String command, String state, int threads, int size, int endOfEnvironment) {
        String line = "41 (" + command + ")" + AFTER_THE_COMMAND.formatted(state, threads, size, endOfEnvironment);
        return ProcessStat.parse(line.getBytes(StandardCharsets.UTF_8));
    }

    private static ProcessStat parse(String command, String state, int threads) {
        return parse(command, state, threads, 2469888, 12);
    }

    @Test
    void lineOfASleepingProcess() {
        assertThat(parse("sleep", "S", 1)).isEqualTo(new ProcessStat(41, "sleep", 'S', 1, 42, 43, 1, 7777, false));
    }

    @Test
    void commandWithSpacesParenthesesAndLineBreakIsKept() {
        ProcessStat stat = parse("a) S 9 (b\nc ", "R", 1);
        assertThat(stat.command()).isEqualTo("a) S 9 (b\nc ");
        assertThat(stat.parent()).isEqualTo(1);
    }

    @Test
    void emptyCommandIsKept() {
        assertThat(parse("", "S", 1).command()).isEmpty();
    }

    @Test
    void zombieIsDead() {
        assertThat(parse("sh", "Z", 1).isDead()).isTrue();
    }

    @Test
    void zombieMainThreadWithOtherThreadsIsNotDead() {
        assertThat(parse("sh", "Z", 2).isDead()).isFalse();
        assertThat(parse("sh", "Z", 2).mainThreadIsDead()).isTrue();
    }

    @Test
    void runningProcessIsNeitherDeadNorStopped() {
        assertThat(parse("sh", "R", 1).isDead()).isFalse();
        assertThat(parse("sh", "R", 1).isStopped()).isFalse();
    }

    @Test
    void processStoppedBySignalOrTracerIsStopped() {
        assertThat(parse("sh", "T", 1).isStopped()).isTrue();
        assertThat(parse("sh", "t", 1).isStopped()).isTrue();
    }

    @Test
    void processWithMemoryAndNoEnvironmentIsExecutingAProgram() {
        assertThat(parse("sh", "R", 1, 2469888, 0).hasNoEnvironmentYet()).isTrue();
    }

    @Test
    void kernelThreadWithoutMemoryWillNeverHaveAnEnvironment() {
        assertThat(parse("kthreadd", "S", 1, 0, 0).hasNoEnvironmentYet()).isFalse();
    }
}
