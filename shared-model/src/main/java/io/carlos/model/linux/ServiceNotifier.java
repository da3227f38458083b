package io.carlos.model.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd about this service, see sd_notify(3). A process that systemd does not listen to tells nobody, and a
 * message that cannot be sent is logged: the service goes on either way.
 */
public final class ServiceNotifier {
    private static final Logger log = LoggerFactory.getLogger(ServiceNotifier.class);

    private final Optional<String> address;
    private final Optional<Duration> watchdogInterval;

    private ServiceNotifier(Optional<String> address, Optional<Duration> watchdogInterval) {
        this.address = address;
        this.watchdogInterval = watchdogInterval;
    }

    /** @param environment with {@code NOTIFY_SOCKET}, {@code WATCHDOG_USEC} and {@code WATCHDOG_PID} as systemd sets them */
    public static ServiceNotifier of(Map<String, String> environment, long ownPid) {
        Optional<String> address = Optional.ofNullable(environment.get("NOTIFY_SOCKET"))
                .filter(text -> text.startsWith("/") || text.startsWith("@"))
                .filter(text -> text.getBytes(StandardCharsets.UTF_8).length <= DatagramSender.MAX_ADDRESS_BYTES);
        String watched = environment.getOrDefault("WATCHDOG_PID", Long.toString(ownPid));
        Optional<Duration> watchdog = watched.equals(Long.toString(ownPid))
                ? Optional.ofNullable(environment.get("WATCHDOG_USEC")).flatMap(ServiceNotifier::microseconds)
                : Optional.empty();
        return new ServiceNotifier(address, address.isPresent() ? watchdog : Optional.empty());
    }

    private static Optional<Duration> microseconds(String text) {
        try {
            return Optional.of(Duration.ofNanos(Math.multiplyExact(Long.parseLong(text), 1_000L)))
                    .filter(Duration::isPositive);
        } catch (NumberFormatException | ArithmeticException e) {
            log.warn(
                    "notify: WATCHDOG_USEC is \"{}\", expected microseconds; no sign of life is sent",
                    Printable.of(text));
            return Optional.empty();
        }
    }

    /** How long systemd waits for a sign of life; empty when it waits for none. Send one in half of that. */
    public Optional<Duration> watchdogInterval() {
        return watchdogInterval;
    }

    /** It serves. */
    public void ready() {
        send("READY=1");
    }

    /** It has begun to stop. */
    public void stopping() {
        send("STOPPING=1");
    }

    /** A sign of life for the watchdog. */
    public void alive() {
        send("WATCHDOG=1");
    }

    private void send(String message) {
        if (address.isEmpty()) {
            return;
        }
        try {
            send(address.get(), message.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            log.warn("notify: {}: {}", message, e.getMessage());
        }
    }

    /** Each message has a socket of its own: there are few, and a restarted listener is no matter. */
    private static void send(String address, byte[] message) throws IOException {
        try (DatagramSender sender = DatagramSender.open()) {
            sender.send(address, message);
        }
    }
}
