package io.carlos.agent.container.microvm;

import java.util.Optional;

/**
 * Where a session is in its life.
 *
 * <pre>
 * standing   commands  entered by
 * Created    refused   the creation
 * Booting    refused   boot
 * Ready      refused   a boot that succeeded
 * Running    taken     provision
 * Stopping   refused   stop, of one that is ready or runs
 * Ended      refused   the end of a stop; a boot that failed; the end of any of its programs
 * </pre>
 */
sealed interface Standing {
    /** For the message that refuses what only another standing allows. */
    String description();

    /** The guest of a machine that is up. */
    default Optional<Guest> guest() {
        return Optional.empty();
    }

    /** The standing that a stop puts in its place. */
    Standing stopped();

    record Created() implements Standing {
        @Override
        public String description() {
            return "it was not started";
        }

        @Override
        public Standing stopped() {
            return new Ended("it was stopped");
        }
    }

    record Booting() implements Standing {
        @Override
        public String description() {
            return "it is starting";
        }

        @Override
        public Standing stopped() {
            return new Ended("it was stopped while it started");
        }
    }

    record Ready(Guest machine) implements Standing {
        @Override
        public String description() {
            return "it is not provisioned";
        }

        @Override
        public Optional<Guest> guest() {
            return Optional.of(machine);
        }

        @Override
        public Standing stopped() {
            return new Stopping(machine);
        }
    }

    record Running(Guest machine) implements Standing {
        @Override
        public String description() {
            return "it runs already";
        }

        @Override
        public Optional<Guest> guest() {
            return Optional.of(machine);
        }

        @Override
        public Standing stopped() {
            return new Stopping(machine);
        }
    }

    /** @param machine is asked to switch itself off by whoever stops it, and by nobody else */
    record Stopping(Guest machine) implements Standing {
        @Override
        public String description() {
            return "it is stopping";
        }

        @Override
        public Standing stopped() {
            return this;
        }
    }

    /** @param description why it ended */
    record Ended(String description) implements Standing {
        @Override
        public Standing stopped() {
            return this;
        }
    }
}
