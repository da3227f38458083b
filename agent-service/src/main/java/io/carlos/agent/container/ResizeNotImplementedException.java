package io.carlos.agent.container;

/** No command has a terminal whose size could be changed. */
public final class ResizeNotImplementedException extends ContainerException {
    private static final long serialVersionUID = 1L;

    public ResizeNotImplementedException(ContainerId id) {
        super("container " + id + ": a resize is not implemented; commands have no terminal", null);
    }
}
