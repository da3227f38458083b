package io.carlos.agent.container.microvm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Gives no permission while a cloud's metadata service can be connected to, for boxes that cannot keep a guest from it. passt
 * makes a guest's connections as the agent's own there, so that what this process reaches, every guest reaches: the
 * credentials of the box.
 *
 * <p>What was found holds for a while: an address whose packets are dropped takes two seconds to be found so, which no boot should wait for.
 */
public final class MetadataAddresses implements BootPermission {
    private static final Duration CONNECT_BOUND = Duration.ofSeconds(1);
    private static final int LOOKS = 2;
    private static final Duration HOLDS = Duration.ofMinutes(1);

    private final List<InetSocketAddress> addresses;
    private final String setting;
    private final String why;
    private final LongSupplier nanoTime;
    private final ReentrantLock looking = new ReentrantLock();
    private Optional<Finding> last = Optional.empty();

    private record Finding(Optional<String> objection, long nanoTime) {}

    /**
     * @param setting that names the addresses
     * @param why guests cannot be kept from them
     */
    public MetadataAddresses(List<InetSocketAddress> addresses, String setting, String why) {
        this(addresses, setting, why, System::nanoTime);
    }

    MetadataAddresses(List<InetSocketAddress> addresses, String setting, String why, LongSupplier nanoTime) {
        this.addresses = List.copyOf(addresses);
        this.setting = setting;
        this.why = why;
        this.nanoTime = nanoTime;
    }

    @Override
    public Optional<String> objection() {
        looking.lock();
        try {
            if (last.isEmpty() || nanoTime.getAsLong() - last.get().nanoTime() >= HOLDS.toNanos()) {
                Optional<String> found = addresses.stream()
                        .map(this::look)
                        .flatMap(Optional::stream)
                        .findFirst();
                if (Thread.currentThread().isInterrupted()) {
                    return Optional.of("nobody could look whether a metadata service is reachable: interrupted");
                }
                last = Optional.of(new Finding(found, nanoTime.getAsLong()));
            }
            return last.get().objection();
        } finally {
            looking.unlock();
        }
    }

    private Optional<String> look(InetSocketAddress address) {
        String name = address.getHostString() + ":" + address.getPort();
        if (address.isUnresolved()) {
            return Optional.of(name + " is no address; see " + setting);
        }
        try {
            return isConnected(address)
                    ? Optional.of(name + ": a metadata service answers there, and would give a virtual machine what it"
                            + " gives this box, which it cannot be kept from here (" + why + "); mend that, or give the"
                            + " agent its keys in agent.env and deny carlos-edge.service the address by IPAddressDeny=;"
                            + " see " + setting)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of(name + ": nobody could look whether a metadata service is there: " + e.getMessage()
                    + "; see " + setting);
        }
    }

    /** A connection that fails twice, however it does, is taken for one that a guest could not have. */
    private static boolean isConnected(InetSocketAddress address) throws IOException {
        for (int i = 0; i < LOOKS; i++) {
            try (SocketChannel channel = SocketChannel.open()) {
                if (isConnected(channel, address)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isConnected(SocketChannel channel, InetSocketAddress address) {
        try {
            channel.socket().connect(address, Math.toIntExact(CONNECT_BOUND.toMillis()));
            return true;
        } catch (IOException | UnsupportedAddressTypeException e) {
            return false;
        }
    }
}
