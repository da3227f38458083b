package io.carlos.model.linux.process;

/**
 * A process that was started, with the read ends of its output. The three are the caller's to reap and close.
 *
 * @param stdout ends when the process and all that inherited its standard output have closed it
 * @param stderr the same of its standard error
 */
public record SpawnedProcess(ChildProcess child, PipeReader stdout, PipeReader stderr) {}
