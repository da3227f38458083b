package io.carlos.guest.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupLookupTest {
    @TempDir
    private Path directory;

    private int groupOf(int uid) throws Exception {
        Path users = Files.writeString(directory.resolve("passwd"), """
                root:x:0:0:root:/root:/bin/sh
                agent:x:1000:2000::/home/agent:/bin/sh
                again:x:1000:2001::/:/bin/sh
                admin:x:1001:0::/:/bin/sh
                large:x:4294967294:4294967293::/:/bin/sh
                broken:x:1002
                odd:x:1003:many::/:/bin/sh
                """);
        Path groups = Files.writeString(directory.resolve("group"), """
                root:x:0:
                shadow:x:42:
                """);
        return new GroupLookup(users, groups).groupOf(uid);
    }

    @Test
    void theFirstLineOfAUserNamesTheGroup() throws Exception {
        assertThat(groupOf(1_000)).isEqualTo(2_000);
        assertThat(groupOf(-2)).isEqualTo(-3);
    }

    @Test
    void nobodyGetsTheGroupOfRoot() throws Exception {
        assertThat(groupOf(1_001)).isEqualTo(1_001);
    }

    @Test
    void whoIsNotListedGetsNobodyElsesGroup() throws Exception {
        assertThat(groupOf(42)).isEqualTo(65_534);
    }

    @Test
    void whoIsNotListedIsInTheGroupOfTheSameNumber() throws Exception {
        assertThat(groupOf(5_000)).isEqualTo(5_000);
        assertThat(groupOf(1_002)).isEqualTo(1_002);
        assertThat(groupOf(1_003)).isEqualTo(1_003);
        assertThat(new GroupLookup(directory.resolve("none"), directory.resolve("none")).groupOf(1_000))
                .isEqualTo(1_000);
    }
}
