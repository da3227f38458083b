package io.carlos.agent.container.podman;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.model.linux.Printable;
import io.carlos.model.linux.process.UserIdentity;
import io.carlos.model.start.ArgumentBlock;
import io.carlos.model.start.StartRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A command that may be asked for, put together from what its container and its caller say. */
record CommandRequest(List<String> command, int uid, String workingDirectory, Map<String, String> environment) {
    private static final String DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final int NOBODYS_UID = -1;

    static CommandRequest of(ContainerSpec container, ExecSpec spec) throws CommandException {
        return of(container, spec.command(), spec.uid(), spec.workingDirectory(), spec.environment());
    }

    static CommandRequest of(ContainerSpec container, StreamingExecSpec spec) throws CommandException {
        return of(container, spec.command(), spec.uid(), spec.workingDirectory(), spec.environment());
    }

    private static CommandRequest of(
            ContainerSpec container,
            List<String> command,
            Optional<Integer> uid,
            Optional<String> workingDirectory,
            Map<String, String> added)
            throws CommandException {
        if (command.isEmpty() || command.getFirst().isEmpty()) {
            throw refused(Reason.INVALID, container, "the command is empty; expected a program's name");
        }
        int user = uid.orElse(container.uid());
        if (user == 0 || user == NOBODYS_UID) {
            throw refused(
                    Reason.DENIED,
                    container,
                    "uid " + Integer.toUnsignedString(user) + " runs nothing here; expected 1 to 4294967294");
        }
        String directory = workingDirectory.orElse("/");
        if (!directory.startsWith("/")) {
            throw refused(
                    Reason.INVALID,
                    container,
                    "the working directory " + Printable.shortened(directory) + " is not absolute");
        }
        Map<String, String> environment = new HashMap<>(container.environment());
        environment.putAll(added);
        for (String name : environment.keySet()) {
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw refused(
                        Reason.INVALID,
                        container,
                        "the variable name \"" + Printable.shortened(name) + "\" is empty or has a '='");
            }
            if (CommandLaunch.MARKS.contains(name)) {
                throw refused(
                        Reason.INVALID,
                        container,
                        "the variable " + name + " is what its commands are found by; take another name");
            }
        }
        return new CommandRequest(command, user, directory, environment);
    }

    private static CommandException refused(Reason reason, ContainerSpec container, String why) {
        return new CommandException(reason, container.name() + ": " + why, null);
    }

    String program() {
        return Printable.shortened(command.getFirst());
    }

    /**
     * For the native program, as everybody but the group of the same number.
     *
     * @param variable and its value are added to the environment
     * @throws CommandException it is more than the kernel takes, or there is a NUL in it
     */
    StartRequest toStart(String variable, String value) throws CommandException {
        Map<String, String> all = new HashMap<>(environment);
        all.put(variable, value);
        List<String> assignments = new ArrayList<>();
        all.forEach((name, text) -> assignments.add(name + "=" + text));
        StartRequest request;
        try {
            request = new StartRequest(
                    new UserIdentity(uid, uid),
                    "",
                    workingDirectory,
                    all.getOrDefault("PATH", DEFAULT_PATH),
                    ArgumentBlock.of(command, assignments));
            if (!request.isTooLong()) {
                // Also finds a NUL in the other texts.
                request.encode();
                return request;
            }
        } catch (IllegalArgumentException e) {
            throw new CommandException(Reason.INVALID, program() + ": " + e.getMessage(), e);
        }
        throw new CommandException(
                Reason.INVALID, program() + ": arguments and environment are too long for the kernel", null);
    }
}
