package io.carlos.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogBufferTest {
    private final LogBuffer buffer = new LogBuffer(new LogLimits(1, 1, Duration.ZERO, 3, 1_000));

    private void add(String... texts) {
        for (String text : texts) {
            buffer.add(Instant.EPOCH, text, false);
        }
    }

    private LogPage read(long from) throws InterruptedException {
        return buffer.read(from, 100, Duration.ZERO);
    }

    private static List<String> texts(LogPage page) {
        return page.lines().stream().map(LogLine::text).toList();
    }

    @Test
    void all_that_is_kept_is_read_from_1() throws InterruptedException {
        add("a", "b");

        assertThat(texts(read(1))).containsExactly("a", "b");
        assertThat(read(1).next()).isEqualTo(3);
        assertThat(read(1).dropped()).isZero();
    }

    @Test
    void lines_from_a_number_on_are_read() throws InterruptedException {
        add("a", "b", "c");

        assertThat(texts(read(2))).containsExactly("b", "c");
    }

    @Test
    void more_lines_than_are_kept_drop_the_oldest_and_it_is_said() throws InterruptedException {
        add("a", "b", "c", "d", "e");

        assertThat(texts(read(1))).containsExactly("c", "d", "e");
        assertThat(read(1).dropped()).isEqualTo(2);
        assertThat(read(4).dropped()).isZero();
    }

    @Test
    void more_bytes_than_are_kept_drop_the_oldest() throws InterruptedException {
        add("a", "x".repeat(300), "y".repeat(300));

        assertThat(texts(read(1))).containsExactly("y".repeat(300));
    }

    @Test
    void a_line_over_the_bytes_that_are_kept_is_kept_alone() throws InterruptedException {
        add("a", "x".repeat(5_000));

        assertThat(texts(read(1))).containsExactly("x".repeat(5_000));
    }

    @Test
    void an_empty_buffer_gives_nothing() throws InterruptedException {
        assertThat(read(1)).isEqualTo(new LogPage(List.of(), 0, 1));
    }

    @Test
    void a_number_of_an_earlier_start_gives_all_that_is_kept() throws InterruptedException {
        add("a", "b");

        assertThat(texts(read(900))).containsExactly("a", "b");
    }

    @Test
    void a_page_has_no_more_lines_than_wanted_and_the_next_goes_on() throws InterruptedException {
        add("a", "b", "c");

        LogPage page = buffer.read(1, 2, Duration.ZERO);

        assertThat(texts(page)).containsExactly("a", "b");
        assertThat(texts(read(page.next()))).containsExactly("c");
    }

    @Test
    void a_reader_that_waits_gets_the_line_that_comes() throws Exception {
        add("a");
        CompletableFuture<LogPage> read = CompletableFuture.supplyAsync(() -> {
            try {
                return buffer.read(2, 100, Duration.ofMinutes(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        add("b");

        assertThat(texts(read.get(30, TimeUnit.SECONDS))).containsExactly("b");
    }
}
