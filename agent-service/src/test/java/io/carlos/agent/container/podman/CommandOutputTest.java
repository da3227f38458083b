package io.carlos.agent.container.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CommandOutputTest {
    private final CommandOutput output = new CommandOutput();

    private void write(String text) throws InterruptedException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        output.write(bytes, bytes.length);
    }

    @Test
    void piecesAreReadInOrderUpToTheEnd() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<byte[]> all = threads.submit(output::readAllBytes);
            write("one ");
            write("two");
            output.end(null);
            assertThat(all.get()).asString().isEqualTo("one two");
        }
    }

    @Test
    void failureComesBehindWhatWasWritten() throws Exception {
        write("half");
        output.end(new IOException("cut short"));
        assertThat(output.readNBytes(4)).asString().isEqualTo("half");
        assertThatThrownBy(output::read).hasMessage("cut short");
    }

    @Test
    void whatIsDroppedHoldsUpNobodyAndWhatCameBeforeIsKept() throws Exception {
        write("kept");
        output.dropTheRest();
        write("dropped");
        output.end(null);
        assertThat(output.readAllBytes()).asString().isEqualTo("kept");
    }

    @Test
    void closedStreamTakesEverythingAndGivesNothing() throws Exception {
        write("one");
        output.close();
        write("two");
        assertThatThrownBy(output::read).hasMessageContaining("closed");
    }
}
