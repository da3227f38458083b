package io.carlos.model.linux.process;

/** The numbers of the system calls that change the ids of the calling thread only. */
record CredentialCalls(long setgroups, long setresuid, long setresgid) {
    static final CredentialCalls HERE = of(System.getProperty("os.arch"));

    static CredentialCalls of(String architecture) {
        return switch (architecture) {
            case "amd64" -> new CredentialCalls(116, 117, 119);
            case "aarch64" -> new CredentialCalls(159, 147, 149);
            default ->
                throw new IllegalStateException("architecture " + architecture + ": expected amd64 or aarch64; add the"
                        + " numbers of its system calls to " + CredentialCalls.class.getSimpleName());
        };
    }
}
