package io.carlos.control.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ActivationTest {
    private static final long OWN = 77;

    @Test
    void oneSocketForThisProcessIsAdopted() {
        assertThat(Activation.listener(Map.of("LISTEN_PID", "77", "LISTEN_FDS", "1"), OWN))
                .hasValue(3);
    }

    @Test
    void anotherProcesssSocketsAreNotTaken() {
        assertThat(Activation.listener(Map.of(), OWN)).isEmpty();
        assertThat(Activation.listener(Map.of("LISTEN_FDS", "1"), OWN)).isEmpty();
        assertThat(Activation.listener(Map.of("LISTEN_PID", "78", "LISTEN_FDS", "1"), OWN))
                .isEmpty();
    }

    @Test
    void anyOtherCountIsRefusedSayingIt() {
        for (String count : List.of("0", "2", "17", "-1", "01", "x", "")) {
            assertThatThrownBy(() -> Activation.listener(Map.of("LISTEN_PID", "77", "LISTEN_FDS", count), OWN))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("expected 1 socket, got " + count);
        }
        assertThatThrownBy(() -> Activation.listener(Map.of("LISTEN_PID", "77"), OWN))
                .hasMessageContaining("got none");
    }
}
