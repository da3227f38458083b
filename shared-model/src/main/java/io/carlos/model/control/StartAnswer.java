package io.carlos.model.control;

import io.carlos.model.names.InvocationId;

/** A unit was started. */
public record StartAnswer(InvocationId invocationId) {}
