package io.carlos.guest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GuestSupervisorTest {
    @Test
    void aFailedBootIsSaidByItsFirstCause() {
        Throwable failure = new IllegalStateException(
                "a bean", new IllegalStateException("its factory", new IllegalArgumentException("no nonce")));
        assertThat(GuestSupervisor.bootFailure(failure)).isEqualTo("carlos-guest: boot: no nonce");
    }

    @Test
    void aCauseWithoutAMessageIsSaidByItsType() {
        assertThat(GuestSupervisor.bootFailure(new OutOfMemoryError()))
                .isEqualTo("carlos-guest: boot: java.lang.OutOfMemoryError");
    }
}
