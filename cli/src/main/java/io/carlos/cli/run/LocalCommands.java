package io.carlos.cli.run;

import io.carlos.agent.AgentSettings;
import io.carlos.agent.local.LocalAgent;
import io.carlos.agent.local.LocalAgent.Claims;
import io.carlos.agent.local.LocalBoxes;
import io.carlos.agent.local.LocalBoxes.LocalBox;
import io.carlos.agent.local.LocalRecords;
import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.CtrlC;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.Printable;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.store.OpenStore;
import io.carlos.cli.store.StoreAccess;
import io.carlos.model.names.Host;
import io.carlos.model.records.RecordRef;
import io.carlos.model.runs.RunInput;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.runs.Transition.Refusal;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.springframework.shell.core.command.annotation.Arguments;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** {@code carlos local}: the embedded default, with the agent in this process. */
@CommandGroup
class LocalCommands {
    private static final String GROUP = "On this machine alone";
    private static final String DOMAIN = ".localhost";
    private static final int MOST_INSTANCES = 8;

    private final Console console;
    private final StoreAccess stores = new StoreAccess(System.getenv());

    LocalCommands(Console console) {
        this.console = console;
    }

    @Command(
            name = "local run",
            group = GROUP,
            description = "Execute one command on this machine, once, and show its output",
            help = """
                    Everything after -- is the command. It runs as you, without isolation, in a directory of its own that holds the
                    files ($CARLOS_RUN_DIR). Its exit code is the exit code; 128 and the signal's number after a signal.""")
    int run(
            @Option(longName = "host", description = "The instance; made when it is not there") Optional<Host> host,
            @Option(longName = "file", description = "NAME or NAME=PATH of an input file; may be repeated")
                    List<String> files,
            @Option(longName = "timeout", defaultValue = "1h", description = "How long the command may take")
                    Duration timeout,
            @Option(longName = "output", defaultValue = "table", description = "table or json") OutputFormat format,
            @Option(longName = "store", description = "The directory of the store") Optional<Path> store,
            @Arguments List<String> argv)
            throws IOException, InterruptedException {
        Orders.check(argv, timeout);
        List<RunInput> inputs = Orders.inputs(files);
        try (OpenStore open = stores.openOrCreateDirectory(store)) {
            LocalBoxes boxes = new LocalBoxes(open.directory());
            recoverDead(open, boxes);
            LocalBox box = boxes.takeFree();
            List<Host> instances = host.map(List::of).orElseGet(() -> instancesOf(box));
            try (RunningAgent agent = RunningAgent.start(open, box, instances::contains)) {
                RunSession session = new RunSession(open, LocalBoxes.REGION, console, format, agent::wake);
                for (Host instance : instances) {
                    RecordRef ref = own(open, boxes, box, instance);
                    RunOrder order = new RunOrder(ref, argv, timeout, Orders.whoAsks(), inputs);
                    SubmitOutcome outcome = session.submit(order);
                    if (host.isPresent() || !isConflict(outcome)) {
                        return session.follow(session.queued(order, outcome));
                    }
                }
                throw new CliException(
                        CliExit.NOT_PICKED_UP,
                        "all instances of " + box.name() + " have an open run: end one with carlos runs cancel");
            }
        }
    }

    /** An instance takes one run at a time, and one that somebody left queued may still be open. */
    private static List<Host> instancesOf(LocalBox box) {
        return IntStream.rangeClosed(1, MOST_INSTANCES)
                .mapToObj(number -> Host.of(box.name() + (number == 1 ? "" : "-" + number) + DOMAIN))
                .toList();
    }

    private static boolean isConflict(SubmitOutcome outcome) {
        return outcome instanceof SubmitOutcome.Refused refused && refused.reason() == Refusal.RUN_CONFLICT;
    }

    @Command(
            name = "local up",
            group = GROUP,
            description = "Keep an agent at work in the foreground, for carlos run in other terminals")
    void up(@Option(longName = "store", description = "The directory of the store") Optional<Path> store)
            throws IOException, InterruptedException {
        try (OpenStore open = stores.openOrCreateDirectory(store)) {
            LocalBoxes boxes = new LocalBoxes(open.directory());
            recoverDead(open, boxes);
            LocalBox box = boxes.takeFree();
            try (RunningAgent agent = RunningAgent.start(open, box, Claims.ALL)) {
                console.errorln("carlos: agent " + box.name() + " is at work on " + open.directory()
                        + "; end it with Ctrl-C, and use it with: carlos run --store " + open.directory()
                        + " --host NAME.localhost -- COMMAND");
                agent.awaitCtrlC();
            }
        }
    }

    /** Whatever agents that were killed have left, before a new one takes a box of theirs. */
    private static void recoverDead(OpenStore open, LocalBoxes boxes) throws IOException, InterruptedException {
        boxes.forEachDead(dead -> agent(open, dead, Claims.NONE).recover());
    }

    /** Makes the instance this box's, unless another box with a living agent has it, which then executes the run. */
    private static RecordRef own(OpenStore open, LocalBoxes boxes, LocalBox box, Host host)
            throws IOException, InterruptedException {
        RecordRef ref = new RecordRef(RunLocator.DEFAULT_ACCOUNT, RunLocator.DEFAULT_APP, host);
        LocalRecords records = new LocalRecords(open.objects(), open.records());
        String owner = records.ensure(ref, box.name(), open.scheduler().now()).box();
        if (owner == null || !boxes.isAlive(owner)) {
            records.hand(ref, owner, box.name());
        }
        return ref;
    }

    static LocalAgent agent(OpenStore open, LocalBox box, Claims claims) {
        return new LocalAgent(box, open.objects(), claims, AgentSettings.DEFAULTS, open.scheduler(), open.random());
    }

    /** An agent in this process, stopped in good order however the process ends but by kill -9. */
    private static final class RunningAgent implements AutoCloseable {
        private final LocalAgent agent;
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final Thread hook;
        private boolean isStopped;

        private RunningAgent(LocalAgent agent) {
            this.agent = agent;
            this.hook = new Thread(this::stopQuietly, "stop agent");
        }

        static RunningAgent start(OpenStore open, LocalBox box, Claims claims) {
            RunningAgent running = new RunningAgent(agent(open, box, claims));
            Runtime.getRuntime().addShutdownHook(running.hook);
            running.agent.start();
            return running;
        }

        void wake() {
            agent.wake();
        }

        void awaitCtrlC() throws InterruptedException {
            try (CtrlC _ = CtrlC.handledBy(stopped::countDown)) {
                stopped.await();
            }
        }

        private void stopQuietly() {
            try {
                stop();
            } catch (IOException | InterruptedException | RuntimeException e) {
                System.err.println("carlos: the agent did not stop in good order: " + Printable.of(String.valueOf(e)));
            } finally {
                stopped.countDown();
            }
        }

        /** The second of two callers waits for the first: a process that ends earlier would leave commands behind. */
        private synchronized void stop() throws IOException, InterruptedException {
            if (!isStopped) {
                isStopped = true;
                agent.stop();
            }
        }

        @Override
        public void close() throws IOException {
            try {
                stop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the agent did not stop in good order");
            } finally {
                forgetHook();
            }
        }

        /** Only now: a signal during the stop must not end the process before it. */
        private void forgetHook() {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process is ending, and the hook is at it.
            }
        }
    }
}
