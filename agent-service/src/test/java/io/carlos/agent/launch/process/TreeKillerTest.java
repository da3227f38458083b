package io.carlos.agent.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.linux.process.ProcessStat;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeKillerTest {
    @Test
    void nameThatATerminalOrALogWouldObeyIsShownWithQuestionMarks() {
        ProcessStat hostile = new ProcessStat(7, "\u001b]0;x\u0007\ny\u009bz", 'S', 1, 7, 7, 1, 1, false);

        assertThat(TreeKiller.describe(List.of(hostile))).isEqualTo("7 (?]0;x??y?z, state S)");
    }
}
