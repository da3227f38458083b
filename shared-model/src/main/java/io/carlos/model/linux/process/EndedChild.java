package io.carlos.model.linux.process;

/** A child that has exited and is not reaped yet. */
public record EndedChild(ChildProcess child, ChildEnd end) {}
