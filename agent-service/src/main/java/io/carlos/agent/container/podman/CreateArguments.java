package io.carlos.agent.container.podman;

import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.MountRefusedException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The words that podman is to create a container with. */
final class CreateArguments {
    /** Podman's own rule. */
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]*");

    private static final Pattern CAPABILITY = Pattern.compile("CAP_[A-Z_]+");

    private static final String OWNER_LABEL = "io.carlos.owner=";

    /** Podman's process 1, which reaps what is orphaned; as its own child it does nothing until it is asked to end. */
    private static final String INIT = "/run/podman-init";

    private CreateArguments() {}

    static String ownerLabel(PodmanSettings settings) {
        return OWNER_LABEL + settings.owner();
    }

    /**
     * The container's variables are only for a command of its own, and then everybody can see them: those that podman takes
     * from its own environment would be podman's as well, and make it load what they name. Commands that come later get them
     * otherwise.
     *
     * @throws IllegalArgumentException the name, or that of a capability or a variable, is none
     */
    static List<String> of(PodmanSettings settings, ContainerSpec spec) throws MountRefusedException {
        if (!NAME.matcher(spec.name()).matches()) {
            throw new IllegalArgumentException("the container's name \"" + spec.name()
                    + "\": expected letters, digits, '_', '.' and '-', and one of the first two at its start");
        }
        List<String> words = new ArrayList<>(List.of(
                "create",
                "--name=" + spec.name(),
                "--label=" + ownerLabel(settings),
                "--pull=never",
                "--init",
                "--user=" + Integer.toUnsignedString(spec.uid()) + ":" + Integer.toUnsignedString(spec.uid()),
                "--cap-drop=all",
                "--security-opt=no-new-privileges",
                "--restart=no",
                "--no-healthcheck",
                // What podman would do of its own for some programs, sockets and proxies that it happens to see.
                "--systemd=false",
                "--sdnotify=ignore",
                "--http-proxy=false",
                // Nobody reads what the container itself prints, and a file of it would grow without bound.
                "--log-driver=none",
                "--volume=" + settings.nativeProgram() + ":" + PodmanCommand.STARTER + ":ro"));
        spec.capabilities().stream().sorted().forEach(capability -> words.add("--cap-add=" + checked(capability)));
        if (!spec.command().isEmpty()) {
            spec.environment().keySet().stream().sorted().forEach(name -> words.add("--env=" + variable(spec, name)));
        }
        for (Mount mount : spec.mounts()) {
            words.add("--volume=" + volume(settings, spec, mount));
        }
        words.addAll(settings.createArguments());
        words.add("--entrypoint=");
        switch (settings.root()) {
            case ContainerRoot.Directory(var path) -> words.addAll(List.of("--rootfs", path + ":O"));
            case ContainerRoot.Image(String name) -> words.add(name);
        }
        words.addAll(spec.command().isEmpty() ? List.of(INIT, "-P") : spec.command());
        return words;
    }

    private static String checked(String capability) {
        if (!CAPABILITY.matcher(capability).matches()) {
            throw new IllegalArgumentException("the capability \"" + capability + "\": expected a name like CAP_CHOWN");
        }
        return capability;
    }

    private static String variable(ContainerSpec spec, String name) {
        if (name.isEmpty() || name.indexOf('=') >= 0) {
            throw new IllegalArgumentException(
                    spec.name() + ": the variable name \"" + name + "\" is empty or has a '='");
        }
        return name + "=" + spec.environment().get(name);
    }

    private static String volume(PodmanSettings settings, ContainerSpec spec, Mount mount)
            throws MountRefusedException {
        String paths = mount.source() + ":" + mount.target();
        if (paths.indexOf(':') != paths.lastIndexOf(':')) {
            throw new MountRefusedException(spec.name(), mount, "paths without a colon, which podman splits them at");
        }
        if (!Files.isDirectory(mount.source())) {
            throw new MountRefusedException(spec.name(), mount, "a directory that exists");
        }
        List<String> options = new ArrayList<>();
        options.add(mount.readOnly() ? "ro" : "rw");
        options.addAll(settings.volumeOptions());
        return paths + ":" + String.join(",", options);
    }
}
