package io.carlos.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.RecordingConsole;
import io.carlos.cli.store.OpenStore;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import io.carlos.store.Precondition;
import io.carlos.store.location.StoreLocation;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunSessionTest {
    private static final RunId OLDER = RunId.of("run_" + "a".repeat(26));
    private static final RunId NEWER = RunId.of("run_" + "b".repeat(26));
    private static final Instant AT = Instant.parse("2026-01-02T04:00:00Z");
    private static final InstanceRecord RECORD = Records.of("bill.example.com");

    @TempDir
    Path directory;

    private final RecordingConsole console = new RecordingConsole();
    private OpenStore store;

    @BeforeEach
    void openStore() {
        store = OpenStore.at(new StoreLocation.InDirectory(directory));
        store.records().create(RECORD.withActiveRun(ActiveRun.queued(NEWER, "ann", AT)));
    }

    @AfterEach
    void closeStore() throws Exception {
        store.close();
    }

    @Test
    void whatAResultSaysMovesNothingOnTheTerminal() throws Exception {
        String hostile = "killed \u001b]0;title\u0007 (evil)";
        RunKeys keys = new RunKeys(RECORD.account(), RECORD.app(), NEWER);
        put(keys, RunResult.interrupted("the box went away", hostile, 0, false, "box", AT));

        int exit = new RunSession(store, "r1", console, OutputFormat.TABLE, () -> {}).follow(RECORD.ref(), NEWER, 1);

        assertThat(exit).isEqualTo(76);
        assertThat(console.errText()).doesNotContain("\u001b").contains("killed \\u001b]0;title\\u0007 (evil)");
    }

    @Test
    void runIsFoundWhenItIsNoLongerTheNewestOfItsRecord() {
        RunRequest request = new RunRequest(
                RunRequest.SCHEMA,
                OLDER,
                RECORD.account(),
                RECORD.app(),
                RECORD.host(),
                RECORD.incarnation(),
                List.of("true"),
                60,
                AT,
                "ann",
                List.of());
        store.objects().put(request.keys().request(), CarlosJson.write(request), Precondition.CREATE_ONLY);

        assertThat(new RunLocator(store).byRun(OLDER).request().recordRef()).isEqualTo(RECORD.ref());
    }

    private void put(RunKeys keys, RunResult result) {
        store.objects().put(keys.result(), CarlosJson.write(result), Precondition.CREATE_ONLY);
    }
}
