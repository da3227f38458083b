package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Syscalls;

/** No new namespace can be entered, in which a tenant would have root's rights. */
final class NewNamespaceCheck implements ProbeCheck {
    private static final int USER_NAMESPACE = 0x10000000;
    private static final int MOUNT_NAMESPACE = 0x00020000;
    private static final int NETWORK_NAMESPACE = 0x40000000;

    private final Syscalls calls;

    NewNamespaceCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "unshare";
    }

    @Override
    public Finding check() {
        int nothing = calls.unshare(0);
        if (nothing < 0) {
            return Finding.fail(
                    "the call fails also for no namespace at all, so it proves nothing: " + calls.describe(-nothing));
        }
        for (int namespace : new int[] {USER_NAMESPACE, MOUNT_NAMESPACE, NETWORK_NAMESPACE}) {
            int left = Child.attempt(calls, () -> calls.unshare(namespace));
            if (!Refusals.isDenied(left)) {
                return Finding.fail("unshare of 0x" + Integer.toHexString(namespace) + ": "
                        + Refusals.describe(calls, left) + ", expected EPERM");
            }
        }
        return Finding.ok("new user, mount and network namespaces are refused");
    }
}
