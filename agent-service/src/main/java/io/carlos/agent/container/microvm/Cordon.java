package io.carlos.agent.container.microvm;

import java.io.IOException;
import java.io.InputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * How a guest is kept from addresses that the agent reaches: its passt works in a network of its own, whose kernel has no
 * way to them. Whatever a guest sends ends in a connection of passt's, which fails at once.
 *
 * <p>pasta makes that network, and connects it to this machine's as passt connects a guest. All of it is within namespaces
 * of which the agent's user is root; no privilege is needed. A rule that cannot be made, or that does not keep anybody from
 * its address, is the end of the program before passt is started. passt leaves the user's namespace, so that neither can
 * it take a rule back.
 *
 * @param pasta the program
 * @param addresses all ports of them
 */
record Cordon(Path pasta, List<InetAddress> addresses) {
    /** Whom the agent's user is within. */
    static final Helpers.Owner OWNER = LateData.OWNER;

    private static final Duration BOUND = Duration.ofSeconds(20);

    /** A box that starts may have its network a moment later. */
    private static final int TRIALS = 3;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** pasta cannot map root to itself when it is root. */
    private static final List<String> NAMESPACE = List.of("/usr/bin/unshare", "--user", "--map-root-user");

    /**
     * A kernel without version 6 has no way to its addresses, and no rules. A rule comes before all routes, also before those that pasta copies from this machine. It is asked for its effect, as
     * an address of the network's own would be reached all the same.
     */
    private static final String RULES = """
            for address in $0; do
              family=-4
              case $address in *:*) [ -e /proc/net/if_inet6 ] || continue; family=-6 ;; esac
              ip $family rule add to $address unreachable pref 1 || exit
              if ip $family route get $address; then
                echo "$address is reached all the same"
                exit 1
              fi 2>/dev/null
            done
            exec "$@"
            """;

    Cordon {
        addresses = List.copyOf(addresses);
    }

    /**
     * The program within.
     *
     * @param resolver that {@code /etc/resolv.conf} names first is reached at this address
     */
    ProgramSpec around(ProgramSpec spec, String resolver) {
        return new ProgramSpec(spec.name(), around(spec.argv(), resolver), spec.listensOn());
    }

    private List<String> around(List<String> program, String resolver) {
        List<String> argv = new ArrayList<>(NAMESPACE);
        argv.addAll(List.of(pasta.toString(), "--foreground", "--quiet", "--runas", OWNER.toString()));
        argv.addAll(List.of("--config-net", "--no-map-gw", "--dns-forward", resolver));
        // Of what either side serves to itself, the other has nothing.
        argv.addAll(List.of("-t", "none", "-u", "none", "-T", "none", "-U", "none"));
        argv.addAll(List.of("--", "/bin/sh", "-c", RULES, words()));
        argv.addAll(program);
        return argv;
    }

    private String words() {
        return addresses.stream().map(Cordon::word).collect(Collectors.joining(" "));
    }

    private static String word(InetAddress address) {
        String word = address.getHostAddress();
        // What follows is an interface, which is another one within.
        return address instanceof Inet6Address ? word.replaceFirst("%.*", "") : word;
    }

    /** Why this machine has no such network to give, as it was tried several times; empty when it has. */
    Optional<String> obstacle() throws InterruptedException {
        Optional<String> obstacle = trial();
        for (int i = 1; i < TRIALS && obstacle.isPresent(); i++) {
            Thread.sleep(PAUSE);
            obstacle = trial();
        }
        return obstacle;
    }

    private Optional<String> trial() throws InterruptedException {
        ProcessBuilder trial = new ProcessBuilder(around(List.of("/bin/true"), Helpers.RESOLVER));
        trial.environment().clear();
        trial.environment().putAll(Map.of("PATH", Machine.PATH));
        Process process;
        try {
            process = trial.redirectErrorStream(true).start();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        try (InputStream said = process.getInputStream()) {
            if (!process.waitFor(BOUND.toNanos(), TimeUnit.NANOSECONDS)) {
                return Optional.of(pasta + " made none within " + BOUND.toSeconds() + " s");
            }
            // Not to the end: somebody whom it has left behind may hold it.
            String words = new String(said.readNBytes(said.available()), StandardCharsets.UTF_8);
            return process.exitValue() == 0
                    ? Optional.empty()
                    : Optional.of(pasta + " ended with status " + process.exitValue() + ": "
                            + words.strip().replace("\n", "; "));
        } catch (IOException e) {
            return Optional.of(pasta + ": its words cannot be read: " + e.getMessage());
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
