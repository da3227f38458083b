package io.carlos.agent.container.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.Mount;
import io.carlos.model.linux.process.UserIdentity;
import io.carlos.model.start.StartRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandRequestTest {
    private static final ContainerSpec CONTAINER = ContainerSpec.of(
            "one", Mount.readWrite(Path.of("/data"), "/workspace"), 1000, Map.of("PATH", "/bin", "BASE", "1"));

    private static Reason refusal(ExecSpec spec) {
        return catchThrowableOfType(
                        CommandException.class,
                        () -> CommandRequest.of(CONTAINER, spec).toStart("MARK", "id"))
                .reason();
    }

    @Test
    void commandHasTheContainersVariablesItsOwnAndTheMark() throws Exception {
        ExecSpec spec = ExecSpec.of("sh").withEnvironment(Map.of("BASE", "2"));
        StartRequest start = CommandRequest.of(CONTAINER, spec).toStart("MARK", "id");
        assertThat(start.user()).isEqualTo(new UserIdentity(1000, 1000));
        assertThat(start.searchPath()).isEqualTo("/bin");
        assertThat(start.workingDirectory()).isEqualTo("/");
        assertThat(new String(start.arguments().bytes(), StandardCharsets.UTF_8).split("\0"))
                .containsExactlyInAnyOrder("sh", "PATH=/bin", "BASE=2", "MARK=id");
    }

    @Test
    void whatNobodyCouldStartIsRefusedBeforeTheContainerIsAsked() {
        assertThat(refusal(ExecSpec.of())).isEqualTo(Reason.INVALID);
        assertThat(refusal(ExecSpec.of(""))).isEqualTo(Reason.INVALID);
        assertThat(refusal(ExecSpec.of("a\0b"))).isEqualTo(Reason.INVALID);
        assertThat(refusal(ExecSpec.of("true", "x".repeat(7_000_000)))).isEqualTo(Reason.INVALID);
        assertThat(refusal(ExecSpec.of("true").withWorkingDirectory("here"))).isEqualTo(Reason.INVALID);
        assertThat(refusal(ExecSpec.of("true").withWorkingDirectory("/a\0b"))).isEqualTo(Reason.INVALID);
        assertThat(refusal(ExecSpec.of("true").withEnvironment(Map.of("", "x"))))
                .isEqualTo(Reason.INVALID);
    }

    @Test
    void variablesThatCommandsAreFoundByAreRefused() {
        for (String name : CommandLaunch.MARKS) {
            assertThat(refusal(ExecSpec.of("true").withEnvironment(Map.of(name, "x"))))
                    .isEqualTo(Reason.INVALID);
        }
    }

    @Test
    void uidsThatWouldMeanRootOrNobodyAreDenied() {
        assertThat(refusal(ExecSpec.of("true").withUid(0))).isEqualTo(Reason.DENIED);
        assertThat(refusal(ExecSpec.of("true").withUid(-1))).isEqualTo(Reason.DENIED);
    }
}
