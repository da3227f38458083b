package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataLockTest {
    @TempDir
    private Path data;

    @Test
    void a_directory_that_is_at_work_is_refused() throws Exception {
        try (DataLock lock = DataLock.take(data)) {
            assertThat(lock.lastStart()).isEmpty();

            assertThatThrownBy(() -> DataLock.take(data))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another agent is at work on it");
        }
    }

    @Test
    void the_next_start_knows_the_last_one_that_was_noted() throws Exception {
        try (DataLock lock = DataLock.take(data)) {
            lock.noteStart("a-longer-token");
            lock.noteStart("token");
        }
        try (DataLock lock = DataLock.take(data)) {
            assertThat(lock.lastStart()).contains("token");
        }
        try (DataLock lock = DataLock.take(data)) {
            assertThat(lock.lastStart()).contains("token");
        }
    }

    /** Executions that were given up may still be ending when the beans are gone. */
    @Test
    void the_container_does_not_give_it_up() throws Exception {
        var bean = FleetBoxConfiguration.class
                .getDeclaredMethod("dataLock", AgentProperties.class)
                .getAnnotation(org.springframework.context.annotation.Bean.class);

        assertThat(bean.destroyMethod()).isEmpty();
    }
}
