package io.carlos.agent.container.podman;

import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes containers whole. Podman without root leaves the changes to a container's root file system behind, with owners
 * that only its namespace of users can remove.
 *
 * @param overlays where it leaves them, a directory for each container; empty where podman is root's
 */
record ContainerRemoval(Podman podman, Optional<Path> overlays) {
    private static final Logger log = LoggerFactory.getLogger(ContainerRemoval.class);

    private static final String ROOTLESS = "true ";

    /** @param subject for errors */
    static ContainerRemoval of(Podman podman, String subject) throws ContainerException, InterruptedException {
        String said = podman.succeed(
                        subject, List.of("info", "--format={{.Host.Security.Rootless}} {{.Store.RunRoot}}"))
                .stdout()
                .strip();
        return new ContainerRemoval(
                podman,
                said.startsWith(ROOTLESS)
                        ? Optional.of(Path.of(said.substring(ROOTLESS.length()), "overlay-containers"))
                        : Optional.empty());
    }

    void remove(String subject, ContainerId id) throws ContainerException, InterruptedException {
        remove(subject, id.value());
        if (overlays.isPresent()) {
            String left = overlays.get().resolve(id.value()).toString();
            podman.succeed(subject, List.of("unshare", "rm", "-rf", "--", left));
        }
    }

    /** One whose id nobody learned, and that was never started. */
    void removeByName(String name) {
        try {
            remove(name, name);
        } catch (ContainerException e) {
            log.warn("podman: {}: may be left until the agent starts anew: {}", name, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void remove(String subject, String container) throws ContainerException, InterruptedException {
        podman.succeed(subject, List.of("rm", "--force", "--ignore", "--time=0", "--volumes", container));
    }
}
