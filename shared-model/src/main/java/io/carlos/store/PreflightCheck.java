package io.carlos.store;

/** What a store must do before anything is entrusted to it, in the order in which {@link StorePreflight} looks. */
public enum PreflightCheck {
    CREATE_ONLY("create-only on an existing key is a conflict and leaves its value"),
    STALE_IF_MATCH("if-match of an older etag is a conflict and leaves the value"),
    CURRENT_IF_MATCH("if-match of the current etag replaces the value"),
    ABSENT_IF_MATCH("if-match on an absent key is a conflict and leaves it absent"),
    CREATE_RACE("of " + RaceChecks.WRITERS + " creators at once one wins, and its value is stored"),
    COUNTER_RACE("a counter of " + RaceChecks.WRITERS + " writers loses no increment"),
    ETAGS_AGREE("put, get, head and list tell one etag"),
    LISTED_AT_ONCE("a key is listed right after its put"),
    START_AFTER_EXCLUSIVE("a listing goes on behind its start, in byte order"),
    WRONG_SECRET_REFUSED("a wrong secret is refused"),
    CLOCKS_AGREE("the clocks of the server and of this machine agree");

    private final String title;

    PreflightCheck(String title) {
        this.title = title;
    }

    /** What holds when the check has passed, in words. */
    public String title() {
        return title;
    }
}
