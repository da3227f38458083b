package io.carlos.agent.runs;

import java.time.Duration;

/**
 * How the worker behaves.
 *
 * @param stopGrace how long a command has between SIGTERM and SIGKILL
 * @param recordLook how often an execution re-reads its record, in case a cancel went unnoticed
 * @param endAllowance what a run may take beyond its timeout to start and to end, before its record counts as overdue
 * @param maxExecutions how many runs execute at once; others stay queued until there is room
 * @param maxStagings how many runs' files are put in place at once; others wait
 */
public record RunsSettings(
        Duration stopGrace, Duration recordLook, Duration endAllowance, int maxExecutions, int maxStagings) {
    public RunsSettings {
        if (maxExecutions < 1 || maxStagings < 1) {
            throw new IllegalArgumentException("a worker needs room for one run at least, not for " + maxExecutions
                    + " executions and " + maxStagings + " stagings");
        }
    }

    public static final RunsSettings DEFAULTS =
            new RunsSettings(Duration.ofSeconds(20), Duration.ofSeconds(30), Duration.ofMinutes(5), 64, 8);
}
