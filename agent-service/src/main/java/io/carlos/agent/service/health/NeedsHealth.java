package io.carlos.agent.service.health;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether all is there that an isolation backend works with; its details name what is not, and what else speaks against the
 * backend.
 */
public record NeedsHealth(List<Need> needs, Supplier<Optional<String>> objection) implements HealthIndicator {
    public NeedsHealth {
        needs = List.copyOf(needs);
    }

    /** Of a backend that lacks files at most. */
    public NeedsHealth(List<Need> needs) {
        this(needs, Optional::empty);
    }

    /**
     * A file that is needed.
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
        return Stream.concat(needs.stream().map(Need::obstacle), Stream.of(objection.get()))
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
