package io.carlos.agent.container;

/** The runtime has no such container. */
public final class NoSuchContainerException extends ContainerException {
    private static final long serialVersionUID = 1L;

    public NoSuchContainerException(ContainerId id) {
        super("there is no container " + id + "; it was removed, or is another runtime's", null);
    }
}
