package io.carlos.agent.container.microvm;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * How the guests of this machine are kept from a cloud's metadata service: by a network that has no way to it, or, where
 * there can be no such network, by there being no guest while the service answers.
 *
 * @param helpers the programs beside a machine, as they are to be started
 * @param permission asked before each machine is made
 * @param weakness why the second way was taken, in one sentence; empty where it was not
 */
public record GuestNetwork(Helpers helpers, BootPermission permission, Optional<String> weakness) {
    /**
     * Finds out which way it is, by trying.
     *
     * @param addresses of the service; none when an operator answers for there being nothing
     * @param setting that names them
     */
    public static GuestNetwork of(Helpers helpers, List<InetSocketAddress> addresses, String setting)
            throws InterruptedException {
        if (addresses.isEmpty()) {
            return new GuestNetwork(helpers, BootPermission.GIVEN, Optional.empty());
        }
        Optional<String> obstacle = addresses.stream()
                .filter(InetSocketAddress::isUnresolved)
                .map(address -> address.getHostString() + " is no address")
                .findFirst();
        if (obstacle.isEmpty()) {
            Helpers kept = helpers.keptFrom(
                    addresses.stream().map(InetSocketAddress::getAddress).toList());
            obstacle = kept.cordonObstacle();
            if (obstacle.isEmpty()) {
                return new GuestNetwork(kept, BootPermission.GIVEN, Optional.empty());
            }
        }
        String weakness = "no guest can be kept from an address that the agent reaches: " + obstacle.get();
        return new GuestNetwork(
                helpers, new MetadataAddresses(addresses, setting, obstacle.get()), Optional.of(weakness));
    }
}
