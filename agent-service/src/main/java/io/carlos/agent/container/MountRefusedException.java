package io.carlos.agent.container;

/** A container cannot have a mount as it was asked for, and so is not created. */
public final class MountRefusedException extends ContainerException {
    private static final long serialVersionUID = 1L;

    /** @param expected what would do */
    public MountRefusedException(String container, Mount mount, String expected) {
        super(
                container + ": the " + (mount.readOnly() ? "read-only " : "") + "mount of " + mount.source() + " at "
                        + mount.target() + " is refused: expected " + expected,
                null);
    }
}
