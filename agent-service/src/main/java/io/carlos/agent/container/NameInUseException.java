package io.carlos.agent.container;

/** Another container has the name that was asked for. */
public final class NameInUseException extends ContainerException {
    private static final long serialVersionUID = 1L;

    public NameInUseException(String name) {
        super("the name " + name + " is in use by another container; remove that, or take another name", null);
    }
}
