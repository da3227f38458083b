package io.carlos.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.time.SystemScheduler;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JournalSocketTest {
    /** Prints a line when it listens, and then each message in hex. */
    private static final String RECEIVER = "$| = 1; socket(S, PF_UNIX, SOCK_DGRAM, 0);"
            + "bind(S, pack_sockaddr_un($ARGV[0])) or die $!; print qq(listening\\n);"
            + "while (defined recv(S, my $message, 65536, 0)) { print unpack('H*', $message) . qq(\\n) }";

    @TempDir
    private Path directory;

    @Test
    void a_line_is_an_entry_whose_fields_have_their_length() throws Exception {
        Path path = directory.resolve("journal");
        Process receiver = new ProcessBuilder("perl", "-MSocket", "-e", RECEIVER, path.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader received = receiver.inputReader();
                JournalSocket journal = new JournalSocket(path, new SystemScheduler())) {
            assertThat(received.readLine()).isEqualTo("listening");

            journal.write(Host.of("a.example.com"), Role.SIDECAR, "\u00e9\nPRIORITY=0");

            String entry = new String(HexFormat.of().parseHex(received.readLine()), "UTF-8");
            assertThat(entry)
                    .isEqualTo("MESSAGE\n\15\0\0\0\0\0\0\0\u00e9\nPRIORITY=0\n"
                            + "PRIORITY\n\1\0\0\0\0\0\0\0" + "6\n"
                            + "SYSLOG_IDENTIFIER\n\17\0\0\0\0\0\0\0carlos-instance\n"
                            + "CARLOS_HOST\n\15\0\0\0\0\0\0\0a.example.com\n"
                            + "CARLOS_ROLE\n\7\0\0\0\0\0\0\0sidecar\n");
        } finally {
            receiver.destroyForcibly();
        }
    }

    @Test
    void lines_are_dropped_while_there_is_no_journal() throws Exception {
        try (JournalSocket journal = new JournalSocket(directory.resolve("absent"), new SystemScheduler())) {
            journal.write(Host.of("a.example.com"), Role.RUN, "x");
            journal.write(Host.of("a.example.com"), Role.RUN, "y");
        }
    }

    @Test
    void a_journal_that_takes_nothing_is_not_waited_for_with_every_line() throws Exception {
        Path path = directory.resolve("journal");
        String deaf = RECEIVER.substring(0, RECEIVER.indexOf("while")) + "sleep 600";
        Process receiver = new ProcessBuilder("perl", "-MSocket", "-e", deaf, path.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader received = receiver.inputReader();
                JournalSocket journal = new JournalSocket(path, new SystemScheduler())) {
            assertThat(received.readLine()).isEqualTo("listening");

            for (int i = 0; i < 3_000; i++) {
                journal.write(Host.of("a.example.com"), Role.RUN, "x");
            }
        } finally {
            receiver.destroyForcibly();
        }
    }
}
