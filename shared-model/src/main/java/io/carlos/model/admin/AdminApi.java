package io.carlos.model.admin;

import java.time.Duration;

/**
 * What an agent answers on the socket of its box, to root and to its own user. A request has no body. Every answer but 200
 * and 204 is a {@link io.carlos.model.control.Problem}, whose detail names the thing and says what to do.
 */
public final class AdminApi {
    private static final String ROOT = "/admin/v1";
    private static final String INSTANCE = ROOT + "/instances/{host}";

    /** {@code GET}; answers {@link InstanceRows}. */
    public static final String INSTANCES = ROOT + "/instances";

    /** {@code POST}; {@link #ROLE}; answers 204 when the instance serves, or its sidecar has been started. */
    public static final String START = INSTANCE + "/start";

    /** {@code POST}; {@link #ROLE}; answers 204 when no process is left. */
    public static final String STOP = INSTANCE + "/stop";

    /** {@code POST}; {@link #ROLE}; answers 204 as {@link #START} does. */
    public static final String RESTART = INSTANCE + "/restart";

    /** {@code GET}; {@link #ROLE}, {@link #FROM}, {@link #WAIT}; answers {@link LogLines} once there are any, or the wait is over. */
    public static final String LOGS = INSTANCE + "/logs";

    /** {@code GET}; answers {@link BoxStatus}. */
    public static final String STATUS = ROOT + "/box/status";

    /** {@code GET}; answers {@link io.carlos.model.files.ProbeReport}, ready or not. */
    public static final String PROBE = ROOT + "/box/probe";

    /** {@code POST}; stops whatever runs in units of instances; answers {@link io.carlos.model.control.SweepAnswer}. */
    public static final String SWEEP = ROOT + "/box/sweep";

    /** {@code POST}; no run is picked from now on; answers {@link DrainState}. */
    public static final String DRAIN = ROOT + "/box/drain";

    /** {@code POST}; runs are picked again; answers {@link DrainState}. */
    public static final String RESUME = ROOT + "/box/resume";

    /** The wire name of a role: run or sidecar, and for logs any; run when it is not given. */
    public static final String ROLE = "role";

    /** The number of the first line that is wanted; 1, as when it is not given, for all that are kept. */
    public static final String FROM = "from";

    /** Whole seconds to wait for a line, from 0 to those of {@link #MAX_WAIT}. */
    public static final String WAIT = "wait";

    /** The longest that one request waits for a line. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(25);

    private AdminApi() {}
}
