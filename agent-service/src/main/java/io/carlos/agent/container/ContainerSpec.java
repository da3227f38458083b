package io.carlos.agent.container;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A container to create.
 *
 * @param name free among the runtime's containers
 * @param command what the container itself runs, for techniques that have such a thing; empty: it only waits
 * @param capabilities what that command is granted, for the same
 * @param mounts directories of this machine
 * @param uid whom commands run as that name nobody; unsigned, never 0
 * @param environment what every command has in its environment
 */
public record ContainerSpec(
        String name,
        List<String> command,
        Set<String> capabilities,
        List<Mount> mounts,
        int uid,
        Map<String, String> environment) {
    public ContainerSpec {
        command = List.copyOf(command);
        capabilities = Set.copyOf(capabilities);
        mounts = List.copyOf(mounts);
        environment = Map.copyOf(environment);
        if (name.isBlank()) {
            throw new IllegalArgumentException("a container's name is empty");
        }
        if (uid == 0) {
            throw new IllegalArgumentException("container " + name + ": its uid is 0; commands never run as root");
        }
    }

    /** With one directory, and nothing that is not needed. */
    public static ContainerSpec of(String name, Mount workspace, int uid, Map<String, String> environment) {
        return new ContainerSpec(name, List.of(), Set.of(), List.of(workspace), uid, environment);
    }

    public ContainerSpec withMounts(List<Mount> other) {
        return new ContainerSpec(name, command, capabilities, other, uid, environment);
    }

    /** Also with what it is granted. */
    public ContainerSpec withCommand(List<String> other, Set<String> granted) {
        return new ContainerSpec(name, other, granted, mounts, uid, environment);
    }
}
