package io.carlos.agent.container.podman;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What holds for all containers of a runtime.
 *
 * @param program the words that every call of podman starts with: an absolute path first, then what goes before its verb
 * @param environment all of the environment of podman
 * @param createArguments added to what each container is created with, as its network or its limits
 * @param volumeOptions added to what each directory of a container is mounted with, as a mapping of its owners
 * @param nativeProgram {@code carlos}, which each container has to start its commands with
 * @param owner marks the containers; one runtime at a time has them
 */
public record PodmanSettings(
        List<String> program,
        Map<String, String> environment,
        List<String> createArguments,
        List<String> volumeOptions,
        ContainerRoot root,
        Path nativeProgram,
        String owner) {
    private static final String PROGRAM = "/usr/bin/podman";
    private static final String SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** What podman finds its own files by. Nothing else of an agent is its business, a socket of systemd's above all. */
    private static final List<String> PASSED_ON = List.of(
            "HOME",
            "XDG_RUNTIME_DIR",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "CONTAINERS_CONF",
            "CONTAINERS_STORAGE_CONF");

    public PodmanSettings {
        program = List.copyOf(program);
        environment = Map.copyOf(environment);
        createArguments = List.copyOf(createArguments);
        volumeOptions = List.copyOf(volumeOptions);
        if (program.isEmpty() || !program.getFirst().startsWith("/")) {
            throw new IllegalArgumentException("the program " + program + ": expected the absolute path of podman");
        }
        if (!nativeProgram.isAbsolute() || nativeProgram.toString().indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "the native program " + nativeProgram + ": expected an absolute path without a colon");
        }
    }

    /**
     * Podman as the system has it.
     *
     * @param environment of this process
     */
    public static PodmanSettings of(
            ContainerRoot root, Path nativeProgram, String owner, Map<String, String> environment) {
        Map<String, String> passed = new LinkedHashMap<>();
        passed.put("PATH", SEARCH_PATH);
        for (String name : PASSED_ON) {
            String value = environment.get(name);
            if (value != null) {
                passed.put(name, value);
            }
        }
        return new PodmanSettings(List.of(PROGRAM), passed, List.of(), List.of(), root, nativeProgram, owner);
    }

    public PodmanSettings withProgram(List<String> other) {
        return new PodmanSettings(other, environment, createArguments, volumeOptions, root, nativeProgram, owner);
    }

    public PodmanSettings withCreateArguments(List<String> other) {
        return new PodmanSettings(program, environment, other, volumeOptions, root, nativeProgram, owner);
    }

    public PodmanSettings withVolumeOptions(List<String> other) {
        return new PodmanSettings(program, environment, createArguments, other, root, nativeProgram, owner);
    }
}
