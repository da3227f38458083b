package io.carlos.agent.launch;

import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.runs.RunId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * One command to start.
 *
 * @param record of the instance beside which it runs
 * @param incarnation of that record: a host deleted and made again is another instance, with other data
 * @param argv the program and its arguments, at least one, none with a NUL
 * @param environment the instance's own environment; the launcher adds what its backend promises
 * @param dataDirectory the instance's data directory, {@code CARLOS_DATA_DIR} of the command
 * @param runDirectory the run's own directory, {@code CARLOS_RUN_DIR} of the command; it exists
 * @param wanted whether the command may be executed still; asked by a backend that took its time, right before it executes
 */
public record LaunchRequest(
        RunId id,
        RecordRef record,
        Incarnation incarnation,
        List<String> argv,
        Map<String, String> environment,
        Path dataDirectory,
        Path runDirectory,
        BooleanSupplier wanted) {
    public LaunchRequest {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
    }

    /** One that is wanted however long the backend takes. */
    public LaunchRequest(
            RunId id,
            RecordRef record,
            Incarnation incarnation,
            List<String> argv,
            Map<String, String> environment,
            Path dataDirectory,
            Path runDirectory) {
        this(id, record, incarnation, argv, environment, dataDirectory, runDirectory, () -> true);
    }

    /** The host of the instance. */
    public Host host() {
        return record.host();
    }
}
