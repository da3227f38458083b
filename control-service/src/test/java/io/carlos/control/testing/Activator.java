package io.carlos.control.testing;

import java.nio.file.Path;
import java.util.List;

/** A command that hands over listening sockets as systemd does, see sd_listen_fds(3), and becomes the program behind it. */
public final class Activator {
    private static final String SCRIPT = "$^F = 20; my ($path, $count) = splice(@ARGV, 0, 2); my @open;"
            + "for my $i (1 .. $count) { socket(my $s, PF_UNIX, SOCK_STREAM, 0); push @open, $s;"
            + "  bind($s, pack_sockaddr_un($i == 1 ? $path : qq($path$i))) or die $!; listen($s, 128);"
            + "  die 'descriptor' if fileno($s) != 2 + $i }"
            + "$ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDS} = $count; exec @ARGV";

    private Activator() {}

    /** The words that stand before the program's own. */
    public static List<String> command(Path socket, int sockets) {
        return List.of("perl", "-MSocket", "-e", SCRIPT, socket.toString(), Integer.toString(sockets));
    }
}
