package io.carlos.agent.launch.unit;

import io.carlos.agent.launch.OutputSink;
import io.carlos.agent.logs.StreamEnd;
import io.carlos.agent.logs.StreamListener;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import io.carlos.model.runs.OutputChannel;
import java.io.IOException;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The listeners that a command's unit prints to, one for each stream. */
final class CommandStreams {
    private final OutputSink output;
    private final Map<OutputChannel, StreamListener> listeners = new EnumMap<>(OutputChannel.class);

    private CommandStreams(OutputSink output) {
        this.output = output;
    }

    /** @throws IOException when one cannot listen; the other listens no more then */
    static CommandStreams open(BoxPaths paths, InstanceId id, Predicate<UserPrincipal> peers, OutputSink output)
            throws IOException, InterruptedException {
        CommandStreams streams = new CommandStreams(output);
        try {
            for (OutputChannel channel : OutputChannel.values()) {
                streams.listeners.put(
                        channel,
                        StreamListener.open(
                                paths.logSocket(id, Role.CMD, channel),
                                peers,
                                () -> (bytes, offset, length) -> output.write(channel, bytes, offset, length)));
            }
            return streams;
        } catch (IOException | RuntimeException e) {
            streams.finish(Duration.ZERO);
            throw e;
        }
    }

    /**
     * Returns when all that was printed is handed over and nothing of the listeners is left. An interrupted call can be
     * made again.
     *
     * @param bound how long somebody outside of the unit may hold a stream
     * @return what the run's result should say
     */
    List<String> finish(Duration bound) throws InterruptedException {
        output.hurry();
        List<String> notes = new ArrayList<>();
        for (Map.Entry<OutputChannel, StreamListener> entry : listeners.entrySet()) {
            StreamEnd end = entry.getValue().finish(bound);
            if (end.cutOff()) {
                notes.add("somebody beside the command still held " + entry.getKey() + "; it is read no further");
            }
            if (end.lost()) {
                notes.add("the end of " + entry.getKey() + " is lost by a failure of the agent");
            }
        }
        return notes;
    }
}
