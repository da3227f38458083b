package io.carlos.guest.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import org.junit.jupiter.api.Test;

class StatusesTest {
    private static String description(String text) {
        return Statuses.described(Status.NOT_FOUND, text).getDescription();
    }

    @Test
    void aShortTextStaysAsItIs() {
        assertThat(description("pröbchen: not found")).isEqualTo("pröbchen: not found");
    }

    @Test
    void aLongTextIsCut() {
        assertThat(description("x".repeat(20_000)))
                .hasSize(Statuses.MAX_DESCRIPTION_BYTES)
                .endsWith("x...");
    }

    @Test
    void aTextThatGrowsOnTheWireIsCutSooner() {
        // Two bytes each, three characters for each byte.
        assertThat(description("é".repeat(20_000))).isEqualTo("é".repeat(84) + "...");
        assertThat(description("%".repeat(20_000))).isEqualTo("%".repeat(169) + "...");
    }

    @Test
    void whatATerminalWouldObeyIsNotShown() {
        assertThat(description("a\nb\u001b[2J")).isEqualTo("a?b?[2J");
    }
}
