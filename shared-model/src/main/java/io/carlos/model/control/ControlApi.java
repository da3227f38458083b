package io.carlos.model.control;

import java.time.Duration;

/**
 * The verbs of the control channel and the names of their query parameters. A request has no body. Every answer but 200
 * and 204 is a {@link Problem}. Those that start something may have a {@link #DEADLINE}.
 */
public final class ControlApi {
    /** {@code POST}; {@link #HOST}, {@link #ROLE} run or sidecar, {@link #MEMORY_MAX}; answers {@link StartAnswer}. */
    public static final String START = "/start";

    /** {@code POST}; {@link #HOST}, {@link #MEMORY_MAX}; answers {@link SeedAnswer}, also when the seed failed. */
    public static final String SEED = "/seed";

    /**
     * {@code POST}; {@link #HOST}, {@link #MEMORY_MAX}; answers {@link StartAnswer}. {@code GET}; {@link #HOST},
     * {@link #INVOCATION}, {@link #WAIT}; answers {@link CmdAnswer} once the command is no longer running, or when the
     * wait is over.
     */
    public static final String CMD = "/cmd";

    /** {@code POST}; {@link #HOST}, {@link #ROLE}; answers 204 when no process is left. */
    public static final String STOP = "/stop";

    /** {@code POST}; {@link #HOST}, {@link #ROLE}; answers 204. */
    public static final String RESET = "/reset";

    /** {@code POST}; answers {@link SweepAnswer}, or {@link Unswept} when some units did not stop. */
    public static final String SWEEP = "/sweep";

    /** {@code GET}; answers 204, or 503 with {@link NotReady}. */
    public static final String READY = "/ready";

    /** A host. */
    public static final String HOST = "host";

    /** The wire name of a role. */
    public static final String ROLE = "role";

    /** The bytes of a {@link MemoryTier}. */
    public static final String MEMORY_MAX = "memory_max";

    /** An invocation id. */
    public static final String INVOCATION = "invocation";

    /** Whole seconds, from 0 to those of {@link #MAX_WAIT}. */
    public static final String WAIT = "wait";

    /**
     * A header: until when the start may begin, in nanoseconds of the {@linkplain io.carlos.model.linux.BootClock boot
     * clock}. Without it a start may begin at any time, also when whoever asked has given it up.
     */
    public static final String DEADLINE = "Carlos-Deadline";

    /** The longest that one request waits for a command. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(25);

    private ControlApi() {}
}
