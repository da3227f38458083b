package io.carlos.control.verb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LooksTest {
    @Test
    void pausesDoubleUpToTheLongest() {
        Looks looks = new Looks(Duration.ofMillis(20), Duration.ofMillis(100));

        Duration second = looks.after(looks.first());
        assertThat(second).isEqualTo(Duration.ofMillis(40));
        Duration fourth = looks.after(looks.after(second));
        assertThat(fourth).isEqualTo(Duration.ofMillis(100));
        assertThat(looks.after(fourth)).isEqualTo(Duration.ofMillis(100));
    }
}
