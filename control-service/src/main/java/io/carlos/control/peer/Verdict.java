package io.carlos.control.peer;

/** What came of looking at a peer. */
public sealed interface Verdict {
    /** The connection may be read. */
    record Admitted() implements Verdict {}

    /** The connection is closed unread. */
    record Refused(Refusal reason, String detail) implements Verdict {}

    /** Why a peer is refused. */
    enum Refusal {
        /** It is another user's. */
        OTHER_USER("other_user"),
        /** It is the right user's, but not the main process of the unit. */
        OTHER_PROCESS("other_process"),
        /** The process that connected has ended. */
        GONE("gone"),
        /** It has the main process's number, but is not in the unit's control group. */
        OUTSIDE_UNIT("outside_unit"),
        /** systemd did not say in time which process it has to be. */
        SYSTEMD_SILENT("systemd_silent"),
        /** The kernel does not tell who it is. */
        UNKNOWN("unknown");

        private final String tag;

        Refusal(String tag) {
            this.tag = tag;
        }

        /** The reason as metrics have it. */
        public String tag() {
            return tag;
        }
    }
}
