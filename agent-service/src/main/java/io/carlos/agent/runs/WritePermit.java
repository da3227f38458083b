package io.carlos.agent.runs;

/** Whether this box may write for the runs that it holds, beside what each run's own lease says. */
@FunctionalInterface
public interface WritePermit {
    /** For a box that nothing else tells. */
    WritePermit ALWAYS = () -> true;

    /**
     * Asked before every write, so it must be quick and must not block. While it says no an execution writes nothing; when
     * it says yes again, the execution first renews its hold of the run, and learns whether somebody took it meanwhile.
     */
    boolean mayWrite();

    /** Whether it will never say yes again: what the box holds is lost. */
    default boolean isRevoked() {
        return false;
    }
}
