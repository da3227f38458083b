package io.carlos.agent.container.podman;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Whom commands run as, so that they own in their container what the user of this process owns outside of it.
 *
 * @param uid within the container
 * @param createArguments that make it so
 * @param volumeOptions that make it so
 */
public record CommandUser(int uid, List<String> createArguments, List<String> volumeOptions) {
    private static final int UNPRIVILEGED = 1000;

    public CommandUser {
        createArguments = List.copyOf(createArguments);
        volumeOptions = List.copyOf(volumeOptions);
    }

    /** The user of this process. */
    public static CommandUser self() {
        try {
            return of(id("uid"), id("gid"));
        } catch (IOException e) {
            throw new UncheckedIOException("/proc/self has no owner; is /proc mounted?", e);
        }
    }

    private static int id(String kind) throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:" + kind);
    }

    /**
     * Nothing runs as root: its files are another user's where they are mounted. Any other user's podman can map no
     * mounts, but has a namespace of users, where that user stays who it is.
     *
     * @param uid of the files outside
     */
    static CommandUser of(int uid, int gid) {
        if (uid != 0) {
            return new CommandUser(uid, List.of("--userns=keep-id"), List.of());
        }
        String mapping = "idmap=uids=" + uid + "-" + UNPRIVILEGED + "-1;gids=" + gid + "-" + UNPRIVILEGED + "-1";
        return new CommandUser(UNPRIVILEGED, List.of(), List.of(mapping));
    }

    /** With what this user needs, before what the settings have themselves. */
    public PodmanSettings applyTo(PodmanSettings settings) {
        List<String> arguments = new ArrayList<>(createArguments);
        arguments.addAll(settings.createArguments());
        return settings.withCreateArguments(arguments).withVolumeOptions(volumeOptions);
    }
}
