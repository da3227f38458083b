package io.carlos.model.runs;

import io.carlos.model.records.RecordRef;
import java.time.Duration;
import java.util.List;

/**
 * A run as a person asks for it.
 *
 * @param by who asks, for the people who look at the run later
 */
public record RunOrder(RecordRef record, List<String> argv, Duration timeout, String by, List<RunInput> inputs) {
    public RunOrder {
        argv = List.copyOf(argv);
        inputs = List.copyOf(inputs);
    }
}
