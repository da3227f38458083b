package io.carlos.guest.state;

import io.carlos.guest.state.GuestState.Booting;
import io.carlos.guest.state.GuestState.Provisioned;
import io.carlos.guest.state.GuestState.Ready;
import io.carlos.guest.state.GuestState.Stopping;
import java.util.concurrent.atomic.AtomicReference;

/** The state a supervisor is in, for any number of threads. Every transition is one compare-and-set. */
public final class GuestLifecycle {
    private final AtomicReference<GuestState> state = new AtomicReference<>(new Booting());

    public GuestState state() {
        return state.get();
    }

    /** The guest is about to be served; nothing is said of its network and workspace. Too late when the guest is stopping already, which is no error. */
    public void booted() {
        GuestState before = state.get();
        switch (before) {
            case Booting ignored -> state.compareAndSet(before, new Ready());
            case Stopping ignored -> {}
            case Ready ignored -> throw new IllegalStateException("booted twice");
            case Provisioned ignored -> throw new IllegalStateException("booted twice");
        }
    }

    /** Opens the gate for commands, once. */
    public void provision(Provision provision) throws WrongStateException {
        GuestState before = state.get();
        if (!(before instanceof Ready) || !state.compareAndSet(before, new Provisioned(provision))) {
            GuestState now = state.get();
            throw new WrongStateException(
                    now,
                    switch (now) {
                        case Booting ignored ->
                            "the guest is still booting; provision it when it answers that it is ready";
                        case Ready ignored -> throw new IllegalStateException("nothing leads back to ready");
                        case Provisioned ignored -> "the guest is provisioned already; that happens once in its life";
                        case Stopping ignored -> "the guest is stopping";
                    });
        }
    }

    /** Whether it is worth the while to ask anything of the guest. */
    public void requireServing() throws WrongStateException {
        GuestState now = state.get();
        if (now instanceof Stopping) {
            throw new WrongStateException(now, "the guest is stopping");
        }
    }

    /** What the guest was provisioned with: whoever starts a command needs it. */
    public Provision provisioned() throws WrongStateException {
        GuestState now = state.get();
        return switch (now) {
            case Provisioned(Provision provision) -> provision;
            case Booting ignored -> throw new WrongStateException(now, "the guest is still booting");
            case Ready ignored ->
                throw new WrongStateException(now, "the guest runs no command before it is provisioned");
            case Stopping ignored -> throw new WrongStateException(now, "the guest is stopping");
        };
    }

    /** @return whether this call began the stop */
    public boolean stop() {
        return !(state.getAndSet(new Stopping()) instanceof Stopping);
    }
}
