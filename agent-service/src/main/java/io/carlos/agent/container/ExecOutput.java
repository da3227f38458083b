package io.carlos.agent.container;

/**
 * What came of a command that ran to its end.
 *
 * @param exitCode its own status, or 128 and the number of the signal it died of
 */
public record ExecOutput(byte[] stdout, byte[] stderr, int exitCode) {}
