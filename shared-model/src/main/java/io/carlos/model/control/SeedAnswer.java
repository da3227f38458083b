package io.carlos.model.control;

import io.carlos.model.names.InvocationId;

/**
 * A seed unit ran to its end, well or not, and is stopped.
 *
 * @param result systemd's {@code Result}, {@code success} when it went well
 * @param status the exit status or the signal's number, as {@code code} tells
 */
public record SeedAnswer(InvocationId invocationId, String result, int status, MainCode code) {}
