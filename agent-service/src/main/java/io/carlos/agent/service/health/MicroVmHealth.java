package io.carlos.agent.service.health;

import io.carlos.agent.container.microvm.BootPermission;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether all is there that a virtual machine is booted from and with, and one may be; its details name what is not, and what
 * speaks against it.
 */
public record MicroVmHealth(List<Need> needs, BootPermission permission) implements HealthIndicator {
    public MicroVmHealth {
        needs = List.copyOf(needs);
    }

    /**
     * A file that machines need.
     *
     * @param use what for, as it fits behind "the agent cannot"
     * @param setting that names it
     */
    public record Need(Path file, String use, Predicate<Path> given, String setting) {
        public static Need toRead(Path file, String setting) {
            return new Need(file, "read", Files::isReadable, setting);
        }

        public static Need toExecute(Path file, String setting) {
            return new Need(file, "execute", Files::isExecutable, setting);
        }

        public static Need toWrite(Path file, String setting) {
            return new Need(file, "write", Files::isWritable, setting);
        }

        /** Why it is of no use; empty when it is. */
        Optional<String> obstacle() {
            if (given.test(file)) {
                return Optional.empty();
            }
            String why = Files.exists(file) ? "the agent's user cannot " + use + " it" : "it is not there";
            return Optional.of(file + ": " + why + "; see " + setting);
        }
    }

    /** What is missing or speaks against it, each in one sentence. */
    public List<String> obstacles() {
        return Stream.concat(needs.stream().map(Need::obstacle), Stream.of(permission.objection()))
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public Health health() {
        List<String> obstacles = obstacles();
        return obstacles.isEmpty()
                ? Health.up().build()
                : Health.outOfService().withDetail("failure", obstacles).build();
    }
}
