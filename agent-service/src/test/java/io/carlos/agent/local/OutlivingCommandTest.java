package io.carlos.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.VitalTask;
import io.carlos.agent.local.CrashTrial.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutlivingCommandTest {
    @TempDir
    Path directory;

    @Test
    void a_command_that_outlives_its_killed_agent_is_gone_with_its_directory_after_the_next_boot() throws Exception {
        Path pid = directory.resolve("pid");
        List<String> argv =
                List.of("sh", "-c", "echo $$ > " + pid + ".new; mv " + pid + ".new " + pid + "; exec sleep 600");
        try (CrashTrial trial = new CrashTrial(directory, argv)) {
            try (AgentProcess agent = trial.start(0)) {
                CrashTrial.await("the command", () -> Files.exists(pid));
                agent.process().destroyForcibly().waitFor();
            }
            long number = Long.parseLong(Files.readString(pid).strip());
            ProcessHandle command = ProcessHandle.of(number).orElseThrow();
            assertThat(command.isAlive()).isTrue();
            assertThat(runDirectories()).hasSize(1);

            Ended ended = trial.end();

            // Killed by now; whoever inherited it has to reap it, too.
            CrashTrial.await("the command's end", () -> !command.isAlive());
            assertThat(runDirectories()).isEmpty();
            assertThat(ended.result().interrupted()).isEqualTo("the box's agent restarted");
        }
    }

    @Test
    void an_agent_that_runs_out_of_memory_in_its_pass_ends_instead_of_living_on_idle() throws Exception {
        try (CrashTrial trial = new CrashTrial(directory, List.of("true"));
                AgentProcess agent = trial.start(CrashPoints.OUT_OF_MEMORY)) {
            assertThat(agent.process().waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(agent.process().exitValue()).isEqualTo(VitalTask.EXIT_STATUS);
        }
    }

    private List<Path> runDirectories() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.getParent().endsWith(".carlos-run"))
                    .toList();
        }
    }
}
