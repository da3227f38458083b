package io.carlos.cli.run;

import io.carlos.cli.console.Console;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A run as JSON lines on stdout, each with an {@code event}: {@code state} when the record changed, {@code output} for a chunk,
 * its bytes in base64, and last {@code result}.
 */
record JsonRunOutput(RunId id, Console console) implements RunOutput {
    @Override
    public void state(ActiveRun run) {
        Map<String, Object> line = line("state");
        line.put("state", run.state().toString());
        if (run.box() != null) {
            line.put("box", run.box());
        }
        try {
            print(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void chunk(long seq, OutputChannel channel, byte[] bytes) throws IOException {
        Map<String, Object> line = line("output");
        line.put("seq", seq);
        line.put(
                "stream",
                switch (channel) {
                    case STDOUT -> "stdout";
                    case STDERR -> "stderr";
                });
        line.put("base64", Base64.getEncoder().encodeToString(bytes));
        print(line);
    }

    @Override
    public void ended(FollowEnd end) throws IOException {
        Map<String, Object> line = line("result");
        switch (end) {
            case FollowEnd.Ended(RunResult result) -> line.put("result", result);
            case FollowEnd.Incomplete(RunResult result, long missing) -> {
                line.put("result", result);
                line.put("missing_chunk", missing);
            }
            case FollowEnd.OverWhileQueued(ActiveRun.Outcome outcome) -> line.put("outcome", outcome.toString());
            case FollowEnd.Unknown(String detail) -> line.put("unknown", detail);
        }
        print(line);
    }

    private Map<String, Object> line(String event) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", event);
        line.put("run", id.value());
        return line;
    }

    private void print(Map<String, Object> line) throws IOException {
        console.println(new String(CarlosJson.write(line), StandardCharsets.UTF_8));
    }
}
