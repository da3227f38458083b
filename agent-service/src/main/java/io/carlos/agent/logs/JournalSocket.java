package io.carlos.agent.logs;

import io.carlos.model.linux.DatagramSender;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.time.Scheduler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * systemd's journal by its native protocol: one datagram an entry, with the fields {@code MESSAGE}, {@code PRIORITY},
 * {@code SYSLOG_IDENTIFIER}, {@code CARLOS_HOST} and {@code CARLOS_ROLE}.
 */
public final class JournalSocket implements Journal, AutoCloseable {
    public static final Path DEFAULT_PATH = Path.of("/run/systemd/journal/socket");

    private static final Logger log = LoggerFactory.getLogger(JournalSocket.class);
    private static final String INFO = "6";
    private static final String IDENTIFIER = "carlos-instance";
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final int ATTEMPTS = 50;

    private final String path;
    private final Scheduler scheduler;
    private final DatagramSender sender;
    private final AtomicBoolean dropping = new AtomicBoolean();

    public JournalSocket(Path path, Scheduler scheduler) throws IOException {
        this.path = path.toString();
        this.scheduler = scheduler;
        this.sender = DatagramSender.open();
    }

    @Override
    public void write(Host host, Role role, String text) throws InterruptedException {
        byte[] entry = entry(host, role, text);
        // One that has had no room for so long is not waited for with every line.
        int attempts = dropping.get() ? 1 : ATTEMPTS;
        for (int attempt = 1; ; attempt++) {
            try {
                sender.send(path, entry);
                if (dropping.getAndSet(false)) {
                    log.info("journal: {}: takes lines again", path);
                }
                return;
            } catch (LinuxException e) {
                if (!e.is(Errno.EAGAIN) || attempt == attempts) {
                    drop(e);
                    return;
                }
            }
            scheduler.sleep(PAUSE);
        }
    }

    private void drop(LinuxException cause) {
        if (!dropping.getAndSet(true)) {
            log.warn("journal: lines of instances are dropped: cause={}", cause.getMessage());
        }
    }

    private static byte[] entry(Host host, Role role, String text) {
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        field(entry, "MESSAGE", text);
        field(entry, "PRIORITY", INFO);
        field(entry, "SYSLOG_IDENTIFIER", IDENTIFIER);
        field(entry, "CARLOS_HOST", host.value());
        field(entry, "CARLOS_ROLE", role.wireName());
        return entry.toByteArray();
    }

    /** In the form with a length, in which a value that holds a line end cannot make a field of its own. */
    private static void field(ByteArrayOutputStream entry, String name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        ByteBuffer length =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(bytes.length);
        entry.writeBytes((name + "\n").getBytes(StandardCharsets.US_ASCII));
        entry.writeBytes(length.array());
        entry.writeBytes(bytes);
        entry.write('\n');
    }

    @Override
    public void close() throws IOException {
        sender.close();
    }
}
