package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.deploy.inside.Carlos.Ended;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code carlos run} from the terminal to the tenant's namespace and back, with nothing in between replaced. */
@InsideBox
class AgentRunsInBox {
    @AutoClose
    private static RealAgent agent;

    private static AgentTenant tenant;

    @BeforeAll
    static void start() throws IOException {
        agent = new RealAgent();
        tenant = AgentTenant.withProgram("runs.example.com");
    }

    @ParameterizedTest
    @CsvSource({"exit 0, 0", "exit 3, 3", "exit 125, 125", "exit 126, 126", "signal 9, 137", "signal 15, 143"})
    void aRunEndsAsItsCommandDid(String command, int status) {
        Ended ended = tenant.run(command.split(" "));

        assertThat(ended.status()).as(ended.err()).isEqualTo(status);
        tenant.assertNothingOfCommandsIsLeft();
    }

    @Test
    void theTwoStreamsStayApart() {
        Ended ended = tenant.run("both");

        assertThat(ended.out()).isEqualTo("to stdout\n");
        assertThat(ended.err()).contains("to stderr").doesNotContain("to stdout");
    }

    @Test
    void aProgramThatIsNoneIs126() throws IOException {
        Path text = Files.writeString(Path.of("/opt/carlos/builds/text"), "no program\n");
        AgentTenant other = AgentTenant.create("text.example.com").link(text);

        Ended ended = other.run("exit", "0");

        assertThat(ended.status()).as(ended.err()).isEqualTo(126);
        assertThat(ended.err()).contains("not executable");
    }

    @Test
    void aProgramThatIsNotThereIs127() {
        Ended ended = AgentTenant.create("absent.example.com").run("exit", "0");

        assertThat(ended.status()).as(ended.err()).isEqualTo(127);
        assertThat(ended.err()).contains("not there");
    }

    @Test
    void anInputFileIsInTheDirectoryOfTheRun() throws IOException {
        Path rows = Files.writeString(Path.of("/tmp/rows.csv"), "a,b\n1,2\n");

        Ended ended = Carlos.run(tenant.commandWith(List.of("--file", "rows.csv=" + rows), "file", "rows.csv"));

        assertThat(ended.text()).isEqualTo("a,b\n1,2");
        tenant.assertNothingOfCommandsIsLeft();
    }

    @Test
    void aCommandThatTakesTooLongIsAskedToEnd() {
        Ended ended = Carlos.run(tenant.commandWith(List.of("--timeout", "3s"), "wait"));

        assertThat(ended.status()).as(ended.err()).isEqualTo(5);
        assertThat(ended.out()).isEqualTo("begun\nasked to end\n");
        assertThat(ended.err()).contains("its timeout ran out");
    }

    @Test
    void aCancelledCommandIsAskedToEnd() {
        AgentTenant other = AgentTenant.withProgram("cancelled.example.com");
        String run = Carlos.run(other.commandWith(List.of("--detach"), "wait")).text();
        other.awaitFile("begun");

        Carlos.run("runs", "cancel", run).text();
        Ended followed = Carlos.run("runs", "follow", run);

        assertThat(followed.status()).as(followed.err()).isEqualTo(5);
        assertThat(followed.out()).isEqualTo("begun\nasked to end\n");
        assertThat(followed.err()).contains("the run was cancelled");
        other.assertNothingOfCommandsIsLeft();
    }

    @Test
    void outputBeyondTheCapIsCutAndTheCommandGoesOn() {
        AgentTenant other = AgentTenant.withProgram("flood.example.com");

        Ended ended = other.run("flood", "80");

        assertThat(ended.status()).as(ended.err()).isEqualTo(6);
        assertThat(ended.outBytes()).isEqualTo(64 * 1024 * 1024);
        assertThat(ended.err()).contains("the output was cut");
        assertThat(other.read("flooded")).isEqualTo("whole\n");
    }

    @Test
    void oneTenantsRunDoesNotWaitForAnothers() {
        AgentTenant slow = AgentTenant.withProgram("slow.example.com");
        Carlos waiting = Carlos.start(slow.command("until", "go"));
        slow.awaitFile("begun");

        assertThat(tenant.run("exit", "3").status()).isEqualTo(3);

        assertThat(slow.isPopulated(Role.CMD)).isTrue();
        slow.make("go");
        assertThat(waiting.await().status()).isEqualTo(4);
    }
}
