package io.carlos.model.linux.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StarterThreadTest {
    private static final UserIdentity USER = new UserIdentity(65_534, 65_533);
    private static final Path OWN_STATUS = Path.of("/proc/thread-self/status");

    /** Real, effective, saved, and that of files. */
    private static String ids(String kind) throws Exception {
        return Files.readAllLines(OWN_STATUS).stream()
                .filter(line -> line.startsWith(kind + ":"))
                .findFirst()
                .orElseThrow()
                .substring(kind.length() + 1)
                .strip()
                .replace('\t', ' ');
    }

    @Test
    void whoLooksWithAUsersEyesCannotBeSignalledByThatUser() throws Exception {
        assumeTrue(StarterThread.mayChangeIdentity(), "only root can look with another's eyes");
        // kill(2) asks for the real and the saved uid of whom it signals.
        assertThat(StarterThread.<String>lookAs(USER, () -> ids("Uid"))).isEqualTo("0 65534 0 65534");
        assertThat(StarterThread.<String>lookAs(USER, () -> ids("Gid"))).isEqualTo("0 65533 0 65533");
        assertThat(ids("Uid")).isEqualTo("0 0 0 0");
        assertThat(ids("Gid")).isEqualTo("0 0 0 0");
    }

    @Test
    void aLookupSeesWhatTheUserMayReach() throws Exception {
        assumeTrue(StarterThread.mayChangeIdentity(), "only root can look with another's eyes");
        Path closed = Files.createTempDirectory("closed");
        try {
            assertThat(ProgramLookup.mayStartIn(closed)).isTrue();
            assertThat(StarterThread.<Boolean>lookAs(USER, () -> ProgramLookup.mayStartIn(closed)))
                    .isFalse();
        } finally {
            Files.delete(closed);
        }
    }
}
