package io.carlos.guest.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GuestLifecycleTest {
    private static final Provision PROVISION = new Provision(1_000, Map.of("A", "b"));

    private final GuestLifecycle lifecycle = new GuestLifecycle();

    private GuestState stateThatRefusesCommands() {
        return catchThrowableOfType(WrongStateException.class, lifecycle::provisioned)
                .state();
    }

    private GuestState stateThatRefusesProvision() {
        return catchThrowableOfType(WrongStateException.class, () -> lifecycle.provision(PROVISION))
                .state();
    }

    @Test
    void aBootingGuestRefusesEverything() {
        assertThat(stateThatRefusesCommands()).isEqualTo(new GuestState.Booting());
        assertThat(stateThatRefusesProvision()).isEqualTo(new GuestState.Booting());
    }

    @Test
    void aReadyGuestRefusesCommands() {
        lifecycle.booted();
        assertThat(stateThatRefusesCommands()).isEqualTo(new GuestState.Ready());
    }

    @Test
    void aProvisionedGuestHandsOutItsProvisionAndTakesNoOther() throws Exception {
        lifecycle.booted();
        lifecycle.provision(PROVISION);
        assertThat(lifecycle.provisioned()).isEqualTo(PROVISION);
        assertThat(stateThatRefusesProvision()).isEqualTo(new GuestState.Provisioned(PROVISION));
    }

    @Test
    void aStoppingGuestRefusesEverythingWhereverItCameFrom() throws Exception {
        lifecycle.booted();
        lifecycle.provision(PROVISION);
        assertThat(lifecycle.stop()).isTrue();
        assertThat(stateThatRefusesCommands()).isEqualTo(new GuestState.Stopping());
        assertThat(stateThatRefusesProvision()).isEqualTo(new GuestState.Stopping());
    }

    @Test
    void onlyTheFirstStopBeginsIt() {
        assertThat(lifecycle.stop()).isTrue();
        assertThat(lifecycle.stop()).isFalse();
    }

    @Test
    void theEndOfABootDoesNotUndoAStop() {
        lifecycle.stop();
        lifecycle.booted();
        assertThat(lifecycle.state()).isEqualTo(new GuestState.Stopping());
    }

    @Test
    void aSecondBootIsAMistake() {
        lifecycle.booted();
        assertThatThrownBy(lifecycle::booted).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void rootIsNoDefaultUser() {
        assertThatThrownBy(() -> new Provision(0, Map.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
