package io.carlos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VitalTaskTest {
    private final List<Throwable> ends = new ArrayList<>();

    @Test
    void an_error_ends_the_process() {
        OutOfMemoryError error = new OutOfMemoryError("told to fail");

        run(() -> {
            throw error;
        });

        assertThat(ends).containsExactly(error);
    }

    @Test
    void an_exception_that_nobody_took_ends_the_process() {
        IllegalStateException defect = new IllegalStateException("a defect");

        run(() -> {
            throw defect;
        });

        assertThat(ends).containsExactly(defect);
    }

    @Test
    void a_return_and_an_interrupt_do_not() {
        run(() -> {});
        run(() -> {
            throw new InterruptedException();
        });

        assertThat(ends).isEmpty();
    }

    private void run(VitalTask.Body body) {
        new VitalTask("vital", body, ends::add).run();
    }
}
