package io.carlos.model.admin;

import java.time.Duration;

/**
 * What an agent answers on the socket of its box, to root and to its own user. No request but {@link #EXEC}
 * has a body. Every answer but 200
 * and 204 is a {@link io.carlos.model.control.Problem}, whose detail names the thing and says what to do.
 */
public final class AdminApi {
    private static final String ROOT = "/admin/v1";
    private static final String INSTANCE = ROOT + "/instances/{host}";
    private static final String ONE_VM = ROOT + "/vms/{vm}";

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

    /**
     * {@code GET} answers {@link VmRows}. {@code POST} creates a machine, which does not run yet; {@link #NAME},
     * {@link #WORKSPACE}, {@link #UID}; answers a {@link VmRows.Row}.
     */
    public static final String VMS = ROOT + "/vms";

    /** {@code DELETE}; kills what runs in the machine, and answers 204 when nothing of it is left. */
    public static final String VM = ONE_VM;

    /** {@code POST}; answers 204 when the machine takes commands. */
    public static final String START_VM = ONE_VM + "/start";

    /** {@code POST}; {@link #TIMEOUT}; answers 204 when nothing of the machine runs. */
    public static final String STOP_VM = ONE_VM + "/stop";

    /**
     * {@code POST}; executes a command in a machine, with its streams in both bodies: see {@link io.carlos.model.exec}.
     * Answers 200 when its program has been executed.
     */
    public static final String EXEC = ONE_VM + "/exec";

    /** The {@link io.carlos.model.names.VmName} of a machine to create. */
    public static final String NAME = "name";

    /** The absolute path of a directory of the box, which is to be the machine's workspace; one is made when it is not given. */
    public static final String WORKSPACE = "workspace";

    /** Whom commands of a machine run as that name nobody, from 1 to 2147483647; {@link #DEFAULT_UID} when it is not given. */
    public static final String UID = "uid";

    /** The user that the image of machines has. */
    public static final int DEFAULT_UID = 1000;

    /** Whole seconds from 0 to 600 that a machine has to switch itself off before it is killed; 10 when it is not given. */
    public static final String TIMEOUT = "timeout";

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
