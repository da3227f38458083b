package io.carlos.model.control;

/**
 * Why a request was refused or failed (RFC 9457).
 *
 * @param type {@link #NO_TYPE}: the status says what kind of problem it is; after a start {@link #NOTHING_RUNS},
 *     {@link #MAY_RUN}, {@link #STOPPED}, {@link #STILL_LOADED} or {@link #EXPIRED}; after a sweep {@link #UNSWEPT}
 * @param title the status in words
 * @param detail what was wrong or refused, naming the object; systemd's own words where it refused
 */
public record Problem(String type, String title, int status, String detail) {
    public static final String MEDIA_TYPE = "application/problem+json";
    public static final String NO_TYPE = "about:blank";

    /** The start failed, and nothing that it began runs. */
    public static final String NOTHING_RUNS = "urn:carlos:nothing-runs";

    /** The start failed, and what it began may run, or begin to: it has to be stopped before it is started again. */
    public static final String MAY_RUN = "urn:carlos:may-run";

    /** A stop came while the start was under way. Nothing that it began runs, but it may have been executed until then. */
    public static final String STOPPED = "urn:carlos:stopped";

    /** The unit is still there from an earlier start, so this one did nothing: it has to be stopped and reset first. */
    public static final String STILL_LOADED = "urn:carlos:still-loaded";

    /** Some units did not stop when everything was to be stopped; all others have. {@link Unswept} names them. */
    public static final String UNSWEPT = "urn:carlos:unswept";

    /** The start's deadline had passed before it could begin, so it did nothing. */
    public static final String EXPIRED = "urn:carlos:expired";
}
