package io.carlos.agent.runs;

import java.time.Duration;

/**
 * How the worker behaves.
 *
 * @param stopGrace how long a command has between SIGTERM and SIGKILL
 * @param recordLook how often an execution re-reads its record, in case a cancel went unnoticed
 * @param endAllowance what a run may take beyond its timeout to start and to end, before its record counts as overdue
 */
public record RunsSettings(Duration stopGrace, Duration recordLook, Duration endAllowance) {
    public static final RunsSettings DEFAULTS =
            new RunsSettings(Duration.ofSeconds(20), Duration.ofSeconds(30), Duration.ofMinutes(5));
}
