package io.carlos.guest.namespace.exitrecord;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.guest.namespace.calls.JnaSyscalls;
import io.carlos.guest.namespace.calls.TemporaryBox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExitRecordWriterTest {
    private final List<String> complaints = new ArrayList<>();
    private TemporaryBox box;
    private Path record;

    @BeforeEach
    void setUp(@TempDir Path directory) throws IOException {
        box = new TemporaryBox(directory);
        record = box.run().resolve("exit.seed." + TemporaryBox.INVOCATION + ".json");
    }

    @Test
    void whatSystemdSaysIsWrittenForAllToRead() throws IOException {
        write(TemporaryBox.invocationVariable(), "SERVICE_RESULT=exit-code", "EXIT_CODE=exited", "EXIT_STATUS=7");

        assertThat(record)
                .hasContent("{\"invocation\":\"0123456789abcdef0123456789abcdef\",\"result\":\"exit-code\","
                        + "\"code\":\"exited\",\"status\":\"7\",\"at\":\"1970-01-01T00:00:01Z\"}\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(record)))
                .isEqualTo("rw-r--r--");
        assertThat(complaints).isEmpty();
    }

    @Test
    void whatSystemdDoesNotSayIsEmpty() {
        write(TemporaryBox.invocationVariable());

        assertThat(record).content().contains("\"result\":\"\",\"code\":\"\",\"status\":\"\"");
    }

    @Test
    void aRecordThatIsThereStays() throws IOException {
        Files.writeString(record, "first");

        write(TemporaryBox.invocationVariable());

        assertThat(record).hasContent("first");
        assertThat(complaints).hasSize(1).first().asString().contains("File exists");
    }

    @Test
    void aLinkUnderTheRecordsNameIsNotFollowed() throws IOException {
        Path elsewhere = box.root().resolve("elsewhere");
        Files.createSymbolicLink(record, elsewhere);

        write(TemporaryBox.invocationVariable());

        assertThat(elsewhere).doesNotExist();
        assertThat(complaints).hasSize(1);
    }

    @Test
    void withoutAnInvocationNothingIsWritten() {
        write();

        assertThat(box.run()).isEmptyDirectory();
        assertThat(complaints).isEmpty();
    }

    @Test
    void anInvocationThatIsNoneIsRefused() {
        write("INVOCATION_ID=0123456789ABCDEF0123456789ABCDEF");

        assertThat(box.run()).isEmptyDirectory();
        assertThat(complaints).hasSize(1).first().asString().startsWith("not an invocation id");
    }

    @Test
    void aValueThatIsNoWordIsRefused() {
        write(TemporaryBox.invocationVariable(), "EXIT_CODE=two words");

        assertThat(box.run()).isEmptyDirectory();
        assertThat(complaints).hasSize(1);
    }

    private void write(String... variables) {
        List<String> environment = new ArrayList<>(List.of(variables));
        environment.add(box.rootVariable());
        JnaSyscalls calls = new JnaSyscalls(environment.toArray(new String[0]));
        new ExitRecordWriter(calls, () -> 1_000, complaints::add).write("seed", "bill.example.com");
    }
}
