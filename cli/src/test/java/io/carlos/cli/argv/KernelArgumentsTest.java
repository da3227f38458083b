package io.carlos.cli.argv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.cli.exit.CliException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KernelArgumentsTest {
    @Test
    void decodedArgumentsAreTakenAsTheyAre() {
        assertThat(KernelArguments.of(new String[] {"a b", "", "ä"})).containsExactly("a b", "", "ä");
    }

    @Test
    void lastWordsOfACommandLineAreTheArguments() {
        byte[] line = "java\0-jar\0x.jar\0é\0\0€ ".concat("\0").getBytes(StandardCharsets.UTF_8);

        assertThat(KernelArguments.decode(line, 3)).containsExactly("é", "", "€ ");
    }

    @Test
    void argumentThatIsNotUtf8IsRefused() {
        byte[] line = {'j', 0, 'a', (byte) 0xff, 0};

        assertThatThrownBy(() -> KernelArguments.decode(line, 1))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("the argument \"a\ufffd\" is not UTF-8");
    }

    @Test
    void otherWordsOfTheCommandLineNeedNotBeUtf8() {
        byte[] line = {(byte) 0xff, 0, 'a', 0};

        assertThat(KernelArguments.decode(line, 1)).containsExactly("a");
    }
}
