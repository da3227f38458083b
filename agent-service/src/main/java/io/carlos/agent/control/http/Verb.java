package io.carlos.agent.control.http;

import io.carlos.model.control.ControlApi;
import java.time.Duration;

/** The verbs as requests. */
enum Verb {
    START("POST", ControlApi.START, Lane.STARTS, Duration.ofSeconds(60)),
    /** The seed's own 120 s, and its stop. */
    SEED("POST", ControlApi.SEED, Lane.STARTS, Duration.ofSeconds(240)),
    START_CMD("POST", ControlApi.CMD, Lane.STARTS, Duration.ofSeconds(60)),
    /** After the wait that was asked for. */
    AWAIT_CMD("GET", ControlApi.CMD, Lane.POLLS, Duration.ofSeconds(10)),
    /** A stop may take a minute. */
    STOP("POST", ControlApi.STOP, Lane.STOPS, Duration.ofSeconds(90)),
    RESET("POST", ControlApi.RESET, Lane.STOPS, Duration.ofSeconds(30)),
    /**
     * The service stops 24 units at a time, each in up to a minute: enough for 500 hosts with two programs each that ignore
     * SIGTERM, also when most of that is the sweep of an earlier caller, for whose end another one waits.
     */
    SWEEP("POST", ControlApi.SWEEP, Lane.STOPS, Duration.ofMinutes(45)),
    READY("GET", ControlApi.READY, Lane.LOOKS, Duration.ofSeconds(10));

    private final String method;
    private final String path;
    private final Lane lane;
    private final Duration limit;

    Verb(String method, String path, Lane lane, Duration limit) {
        this.method = method;
        this.path = path;
        this.lane = lane;
        this.limit = limit;
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    Lane lane() {
        return lane;
    }

    /** Whether it starts something, which nobody may do any more once it was given up. */
    boolean hasDeadline() {
        return lane == Lane.STARTS;
    }

    /** How long an answer may take. */
    Duration limit() {
        return limit;
    }

    /** As messages name it. */
    @Override
    public String toString() {
        return method + " " + path;
    }
}
