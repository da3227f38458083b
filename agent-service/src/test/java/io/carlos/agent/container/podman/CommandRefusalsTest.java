package io.carlos.agent.container.podman;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.model.start.StartReport;
import io.carlos.model.start.StartStep;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandRefusalsTest {
    @ParameterizedTest
    @CsvSource({
        "REQUEST, 22, TRANSPORT",
        "IDENTITY, 1, DENIED",
        "IDENTITY, 11, LIMIT",
        "WORKING_DIRECTORY, 2, INVALID",
        "PROGRAM, 2, NOT_FOUND",
        "PROGRAM, 13, DENIED",
        "EXECUTE, 2, NOT_FOUND",
        "EXECUTE, 13, DENIED",
        "EXECUTE, 12, LIMIT",
        "EXECUTE, 8, INVALID"
    })
    void stepAndErrorSayWhoHasToChangeWhat(StartStep step, int errno, Reason reason) {
        CommandException refusal = CommandRefusals.of(
                "container one",
                new CommandRequest(List.of("prog"), 1000, "/", Map.of()),
                new StartReport.Failed(step, errno));
        assertThat(refusal.reason()).isEqualTo(reason);
        assertThat(refusal).hasMessageContaining("container one").hasMessageContaining("prog");
    }
}
