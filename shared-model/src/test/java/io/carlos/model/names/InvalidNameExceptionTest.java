package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InvalidNameExceptionTest {
    @Test
    void whatATerminalWouldObeyIsNotRepeated() {
        assertThat(new InvalidNameException("a host", "a\u001b[2J\nb", "no")).hasMessage("not a host: \"a?[2J?b\": no");
    }

    @Test
    void aLongTextIsCut() {
        assertThat(new InvalidNameException("a host", "a".repeat(1_000), "no").getMessage())
                .hasSizeLessThan(250);
    }
}
