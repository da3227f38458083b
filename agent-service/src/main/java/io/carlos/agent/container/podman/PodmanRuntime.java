package io.carlos.agent.container.podman;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.NameInUseException;
import io.carlos.agent.container.NoSuchContainerException;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Containers that podman makes. Commands are started in them by the native program, which each has read-only at {@value
 * PodmanCommand#STARTER}; a root file system needs nothing for them.
 *
 * <p>A command's group has the number of its user, whatever the container's {@code /etc/passwd} says. A command that ends
 * by itself with a status from 129 to 192 is told as one that a signal ended: podman tells no difference.
 */
public final class PodmanRuntime implements ContainerRuntime {
    private static final Logger log = LoggerFactory.getLogger(PodmanRuntime.class);

    /** Of one call of podman; most take a fraction of a second. */
    private static final Duration CALL_BOUND = Duration.ofMinutes(2);

    private static final String EVERYTHING = "podman";

    private final Podman podman;
    private final Map<ContainerId, PodmanContainer> containers = new ConcurrentHashMap<>();

    /** Of the containers, and of those that are being created. */
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    private PodmanRuntime(Podman podman) {
        this.podman = podman;
    }

    /**
     * Removes what an earlier agent left, which nobody knows any more, and is ready for more.
     *
     * @throws ContainerException podman is not there, or does not work
     */
    public static PodmanRuntime open(PodmanSettings settings) throws ContainerException, InterruptedException {
        Podman podman = new Podman(settings, CALL_BOUND);
        PodmanAnswer left = podman.succeed(
                EVERYTHING,
                List.of(
                        "ps",
                        "--all",
                        "--quiet",
                        "--no-trunc",
                        "--filter=label=" + CreateArguments.ownerLabel(settings)));
        for (String id : left.stdout().lines().toList()) {
            log.warn("podman: {}: removed, an earlier agent left it", id);
            remove(podman, EVERYTHING, new ContainerId(id));
        }
        return new PodmanRuntime(podman);
    }

    private static void remove(Podman podman, String subject, ContainerId id)
            throws ContainerException, InterruptedException {
        podman.succeed(subject, List.of("rm", "--force", "--ignore", "--time=0", "--volumes", id.value()));
    }

    @Override
    public ContainerId create(ContainerSpec spec) throws ContainerException, InterruptedException {
        List<String> arguments = CreateArguments.of(podman.settings(), spec);
        if (!names.add(spec.name())) {
            throw new NameInUseException(spec.name());
        }
        boolean created = false;
        try {
            ContainerId id = create(spec, arguments);
            containers.put(id, new PodmanContainer(podman, id, spec));
            created = true;
            return id;
        } finally {
            if (!created) {
                names.remove(spec.name());
            }
        }
    }

    private ContainerId create(ContainerSpec spec, List<String> arguments)
            throws ContainerException, InterruptedException {
        if (podman.run(spec.name(), List.of("container", "exists", spec.name()), Duration.ZERO)
                .succeeded()) {
            throw new NameInUseException(spec.name());
        }
        PodmanAnswer answer = answerToCreate(spec, arguments);
        if (!answer.succeeded()) {
            throw new ContainerException(
                    spec.name() + ": the container cannot be created: " + answer.complaint(), null);
        }
        return new ContainerId(answer.stdout().strip());
    }

    /** A podman that was killed may have created the container, whose id nobody learns. */
    private PodmanAnswer answerToCreate(ContainerSpec spec, List<String> arguments)
            throws ContainerException, InterruptedException {
        boolean answered = false;
        try {
            PodmanAnswer answer = podman.run(spec.name(), arguments, Duration.ZERO);
            answered = true;
            return answer;
        } finally {
            if (!answered) {
                removeByName(spec.name());
            }
        }
    }

    private void removeByName(String name) {
        try {
            podman.succeed(name, List.of("rm", "--force", "--ignore", "--time=0", "--volumes", name));
        } catch (ContainerException e) {
            log.warn("podman: {}: may be left until the agent starts anew: {}", name, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes a moment, in which nobody is asked whether it is wanted. */
    @Override
    public void start(ContainerId id, BooleanSupplier wanted) throws ContainerException, InterruptedException {
        container(id).start();
    }

    @Override
    public ExecOutput exec(ContainerId id, ExecSpec spec) throws CommandException, InterruptedException {
        return containerForCommand(id).exec(spec);
    }

    @Override
    public StreamingExec execStreaming(ContainerId id, StreamingExecSpec spec)
            throws CommandException, InterruptedException {
        return containerForCommand(id).execStreaming(spec);
    }

    @Override
    public void stop(ContainerId id, Duration timeout) throws ContainerException, InterruptedException {
        PodmanContainer container = containers.get(id);
        if (container != null) {
            container.stop(timeout);
        }
    }

    @Override
    public void remove(ContainerId id) throws ContainerException, InterruptedException {
        PodmanContainer container = containers.get(id);
        if (container == null) {
            return;
        }
        container.stop(Duration.ZERO);
        remove(podman, container.toString(), id);
        if (containers.remove(id, container)) {
            names.remove(container.name());
        }
    }

    @Override
    public boolean exists(String name) {
        return names.contains(name);
    }

    /** As podman says; empty where SELinux is not in force. */
    @Override
    public String mountLabel(ContainerId id) throws ContainerException, InterruptedException {
        String subject = container(id).toString();
        return podman.succeed(subject, List.of("container", "inspect", "--format={{.MountLabel}}", id.value()))
                .stdout()
                .strip();
    }

    private PodmanContainer container(ContainerId id) throws NoSuchContainerException {
        PodmanContainer container = containers.get(id);
        if (container == null) {
            throw new NoSuchContainerException(id);
        }
        return container;
    }

    private PodmanContainer containerForCommand(ContainerId id) throws CommandException {
        try {
            return container(id);
        } catch (NoSuchContainerException e) {
            throw new CommandException(CommandException.Reason.NOT_READY, String.valueOf(e.getMessage()), e);
        }
    }

    public void removeAll() throws ContainerException, InterruptedException {
        for (ContainerId id : containers.keySet()) {
            remove(id);
        }
    }
}
