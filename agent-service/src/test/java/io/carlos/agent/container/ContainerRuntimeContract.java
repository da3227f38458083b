package io.carlos.agent.container;

/** What every technique promises of its containers, shown on real ones. They need a POSIX shell and coreutils. */
public abstract class ContainerRuntimeContract extends LifeRows {}
