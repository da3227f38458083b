package io.carlos.model.linux.process;

/** A user that is not root, and the one group it is in. */
public record UserIdentity(int uid, int gid) {
    /** The kernel takes it for "leave as it is". */
    private static final int NO_CHANGE = -1;

    /** @throws IllegalArgumentException for ids that would leave somebody root */
    public UserIdentity {
        if (uid == 0 || uid == NO_CHANGE || gid == 0 || gid == NO_CHANGE) {
            throw new IllegalArgumentException("uid " + Integer.toUnsignedString(uid) + ", gid "
                    + Integer.toUnsignedString(gid) + ": expected numbers from 1 to 4294967294");
        }
    }
}
