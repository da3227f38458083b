package io.carlos.agent.launch.container;

import io.carlos.agent.container.ContainerId;
import io.carlos.agent.launch.LaunchRequest;
import java.util.Optional;

/** Containers that were started ahead of need, so that a run waits for no start. */
public interface ReadyContainers {
    /** None ever. */
    ReadyContainers NONE = new ReadyContainers() {
        @Override
        public Optional<ContainerId> take(LaunchRequest request) {
            return Optional.empty();
        }

        @Override
        public ContainerPlaces places() {
            throw new IllegalStateException("none was taken");
        }
    };

    /**
     * One that has the run's directories and takes commands, which is the caller's from now on; empty when there is none
     * ready, and nothing has failed then.
     */
    Optional<ContainerId> take(LaunchRequest request) throws InterruptedException;

    /** Where a run's directories are in those that were taken. */
    ContainerPlaces places();
}
