package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a stand-in for pasta, whose network has a loopback and nothing else. */
@Timeout(60)
class GuestNetworkTest {
    private static final String PASTA = """
            #!/bin/sh
            while [ "$1" != -- ]; do shift; done
            shift
            exec unshare --net sh -c 'ip link set lo up && exec "$@"' sh "$@"
            """;

    @TempDir
    private Path tools;

    private Helpers helpers(String pasta) throws IOException {
        Path program = Files.writeString(tools.resolve("pasta"), pasta);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Helpers.in(tools, Helpers.Owner.self());
    }

    private GuestNetwork network(String pasta, InetSocketAddress... addresses) throws Exception {
        return GuestNetwork.of(helpers(pasta), List.of(addresses), "metadata");
    }

    @Test
    void guestsAreKeptFromAddressesToWhichTheirNetworkHasNoWay() throws Exception {
        GuestNetwork network =
                network(PASTA, new InetSocketAddress("192.0.2.7", 80), new InetSocketAddress("2001:db8::7", 80));

        assertThat(network.weakness()).isEmpty();
        assertThat(network.helpers().keptFrom())
                .containsExactly(InetAddress.getByName("192.0.2.7"), InetAddress.getByName("2001:db8::7"));
        assertThat(network.permission().objection()).isEmpty();
    }

    @Test
    void anAddressThatIsReachedAllTheSameIsLookedForInstead() throws Exception {
        try (ServerSocket metadata = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            GuestNetwork network = network(PASTA, new InetSocketAddress("127.0.0.1", metadata.getLocalPort()));

            assertThat(network.weakness())
                    .hasValueSatisfying(why -> assertThat(why).contains("127.0.0.1 is reached all the same"));
            assertThat(network.helpers().keptFrom()).isEmpty();
            assertThat(network.permission().objection())
                    .hasValueSatisfying(why -> assertThat(why)
                            .contains("a metadata service answers there", "127.0.0.1 is reached all the same"));
        }
    }

    @Test
    void aNetworkThatCannotBeMadeIsAWeaknessWithItsWords() throws Exception {
        GuestNetwork network =
                network("#!/bin/sh\necho no device >&2; exit 3\n", new InetSocketAddress("192.0.2.7", 80));

        assertThat(network.weakness())
                .hasValueSatisfying(why -> assertThat(why).endsWith("/pasta ended with status 3: no device"));
    }

    @Test
    void aRuleThatCannotBeMadeIsAWeakness() throws Exception {
        String noRights = PASTA.replace(
                "exec \"$@\"'", "exec setpriv --bounding-set -all --inh-caps -all " + "--no-new-privs \"$@\"'");

        assertThat(network(noRights, new InetSocketAddress("192.0.2.7", 80)).weakness())
                .hasValueSatisfying(why -> assertThat(why).contains("/pasta ended with status 2"));
    }

    @Test
    void aNameThatIsNoAddressIsAWeakness() throws Exception {
        GuestNetwork network = network(PASTA, InetSocketAddress.createUnresolved("metadata.invalid", 80));

        assertThat(network.weakness())
                .hasValueSatisfying(why -> assertThat(why).endsWith("metadata.invalid is no address"));
        assertThat(network.permission().objection()).isPresent();
    }

    @Test
    void withNothingToBeKeptFromTheProgramsAreAsTheyWere() throws Exception {
        Helpers helpers = helpers("#!/bin/sh\nexit 1\n");

        assertThat(GuestNetwork.of(helpers, List.of(), "metadata").helpers()).isEqualTo(helpers);
    }
}
