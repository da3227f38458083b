package io.carlos.guest.namespace.probe;

/** One property of the boundary around a tenant, tried from inside. */
interface ProbeCheck {
    /** The check's name in the report. */
    String name();

    /**
     * Tries it. Where that makes sense, what must work is tried beside what must not, so that a check cannot pass only
     * because nothing works.
     *
     * @throws io.carlos.guest.namespace.calls.CallFailedException when a call failed that the check needs
     */
    Finding check();
}
