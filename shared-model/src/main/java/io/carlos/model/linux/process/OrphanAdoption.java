package io.carlos.model.linux.process;

/** Has processes whose parent ended become children of this one. Process 1 need not ask for it. */
public final class OrphanAdoption {
    private OrphanAdoption() {}

    /** For this process and as long as it lives. */
    public static void adopt() throws ProcessCallException {
        Libc.check(
                "prctl(PR_SET_CHILD_SUBREAPER)",
                "this process",
                () -> Libc.prctl(Libc.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
    }
}
