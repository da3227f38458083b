package io.carlos.agent.service;

import io.carlos.agent.container.podman.ContainerRoot;
import io.carlos.agent.container.podman.PodmanSettings;
import io.carlos.agent.service.health.NeedsHealth.Need;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an operator sets for containers, below {@code carlos.agent.podman}.
 *
 * @param root the directory that each container has as its root file system; null when an image is
 * @param image the name of an image that podman has, which each container is made from; null when a directory is
 * @param program the words that every call of podman starts with, see {@link PodmanSettings}
 * @param nativeProgram see {@link PodmanSettings}
 * @param createArguments see {@link PodmanSettings}
 */
@ConfigurationProperties(PodmanProperties.PREFIX)
public record PodmanProperties(
        @Nullable Path root,
        @Nullable String image,
        @DefaultValue("/usr/bin/podman") List<String> program,
        @DefaultValue("/opt/carlos/carlos") Path nativeProgram,
        @DefaultValue List<String> createArguments) {
    static final String PREFIX = AgentProperties.PREFIX + ".podman";

    public PodmanProperties {
        program = List.copyOf(program);
        createArguments = List.copyOf(createArguments);
        if (root != null && image != null) {
            throw new IllegalArgumentException(
                    PREFIX + ".root is " + root + " and " + PREFIX + ".image is " + image + ": set only one of them");
        }
        if (root == null && (image == null || image.isBlank())) {
            throw new IllegalArgumentException(PREFIX + ".root is not set: set it to a directory, or " + PREFIX
                    + ".image to the name of an image that podman has");
        }
        if (root != null) {
            absolute("root", root);
        }
        if (image != null && image.startsWith("-")) {
            throw new IllegalArgumentException(PREFIX + ".image is " + image + ": set it to the name of an image");
        }
        if (program.isEmpty() || !program.getFirst().startsWith("/")) {
            throw new IllegalArgumentException(
                    PREFIX + ".program is " + program + ": set it to the absolute path of podman");
        }
        absolute("native-program", nativeProgram);
        for (String argument : createArguments) {
            if (!argument.startsWith("-")) {
                throw new IllegalArgumentException(PREFIX + ".create-arguments has " + argument
                        + ": set options alone, each with its value as --NAME=VALUE");
            }
        }
    }

    private static void absolute(String name, Path path) {
        if (!path.isAbsolute() || path.toString().indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    PREFIX + "." + name + " is " + path + ": set an absolute path without a colon");
        }
    }

    /**
     * @param owner whose containers they are, one agent at a time
     * @param environment of this process
     */
    PodmanSettings settings(String owner, Map<String, String> environment) {
        return PodmanSettings.of(containerRoot(), nativeProgram, owner, environment)
                .withProgram(program)
                .withCreateArguments(createArguments);
    }

    private ContainerRoot containerRoot() {
        return root != null
                ? new ContainerRoot.Directory(root)
                : new ContainerRoot.Image(Objects.requireNonNull(image));
    }

    /** What must be there for any container to start. Whether podman has an image is told by the runs. */
    List<Need> needs() {
        List<Need> needs = new ArrayList<>();
        needs.add(Need.toExecute(Path.of(program.getFirst()), PREFIX + ".program"));
        needs.add(Need.toExecute(nativeProgram, PREFIX + ".native-program"));
        if (root != null) {
            needs.add(Need.toRead(root, PREFIX + ".root"));
        }
        return needs;
    }
}
