package io.carlos.guest.state;

/**
 * The phases of a supervisor's life, in their order; none is entered twice.
 *
 * <pre>
 * state        health  provision         exec              enters
 * Booting      no      refused           refused           -
 * Ready        yes     enters            refused           when it is served
 * Provisioned  yes     refused           allowed           by provision, with network and workspace there
 * Stopping     no      refused           refused           from any state
 * </pre>
 *
 * <p>Booting, nobody listens yet; stopping, calls are answered until no command runs, and refused.
 */
public sealed interface GuestState {
    record Booting() implements GuestState {}

    record Ready() implements GuestState {}

    record Provisioned(Provision provision) implements GuestState {}

    record Stopping() implements GuestState {}
}
