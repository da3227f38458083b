package io.carlos.agent.control.http;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.ControlApi;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.NotReady;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.control.StartAnswer;
import io.carlos.model.control.SweepAnswer;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The control channel over the control service's unix socket. Each call sends its verb once at most. Verbs of a
 * {@link Lane} wait for their turn among their own kind.
 */
public final class HttpControlChannel implements ControlChannel {
    /** When more commands are awaited than there are turns, each has one every few seconds. */
    private static final Duration SHORT_POLL = Duration.ofSeconds(1);

    private static final ProbeReport READY =
            new ProbeReport(List.of(new ProbeLine("report", ProbeLine.Verdict.OK, "the control service is ready")));

    private final Exchanges exchanges;
    private final Map<Lane, Semaphore> turns = new EnumMap<>(Lane.class);
    private final AtomicInteger awaited = new AtomicInteger();

    /** @param socket of the control service; it need not be there yet */
    public HttpControlChannel(Path socket) {
        this.exchanges = new Exchanges(socket);
        for (Lane lane : Lane.values()) {
            turns.put(lane, new Semaphore(lane.connections(), true));
        }
    }

    @Override
    public InvocationId start(Host host, Role role, MemoryTier memory) throws ControlException, InterruptedException {
        Map<String, String> query = Map.of(
                ControlApi.HOST, host.value(),
                ControlApi.ROLE, role.wireName(),
                ControlApi.MEMORY_MAX, Long.toString(memory.maxBytes()));
        return call(Verb.START, query, StartAnswer.class).invocationId();
    }

    @Override
    public SeedAnswer seed(Host host, MemoryTier memory) throws ControlException, InterruptedException {
        return call(Verb.SEED, hostAndMemory(host, memory), SeedAnswer.class);
    }

    @Override
    public InvocationId startCmd(Host host, MemoryTier memory) throws ControlException, InterruptedException {
        return call(Verb.START_CMD, hostAndMemory(host, memory), StartAnswer.class)
                .invocationId();
    }

    /**
     * A call that does not get its turn within the wait tells of a running command: nobody has said that it ended. One that
     * does not wait at all has its turn among the looks, however many commands are awaited.
     */
    @Override
    public CmdAnswer awaitCmd(Host host, InvocationId invocation, Duration wait)
            throws ControlException, InterruptedException {
        return wait.isPositive()
                ? inTurn(turn(Lane.POLLS), wait, host, invocation, wait)
                : inTurn(turn(Lane.LOOKS), Verb.AWAIT_CMD.limit(), host, invocation, Duration.ZERO);
    }

    private CmdAnswer inTurn(Semaphore turn, Duration patience, Host host, InvocationId invocation, Duration wait)
            throws ControlException, InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        awaited.incrementAndGet();
        try {
            if (!turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return CmdAnswer.running(invocation);
            }
            try {
                return poll(host, invocation, Duration.ofNanos(deadline - System.nanoTime()));
            } finally {
                turn.release();
            }
        } finally {
            awaited.decrementAndGet();
        }
    }

    private CmdAnswer poll(Host host, InvocationId invocation, Duration left)
            throws ControlException, InterruptedException {
        Duration longest = awaited.get() > Lane.POLLS.connections() ? SHORT_POLL : ControlApi.MAX_WAIT;
        long seconds = Math.clamp(left.toSeconds(), 0, longest.toSeconds());
        Map<String, String> query = Map.of(
                ControlApi.HOST, host.value(),
                ControlApi.INVOCATION, invocation.value(),
                ControlApi.WAIT, Long.toString(seconds));
        Duration limit = Verb.AWAIT_CMD.limit().plusSeconds(seconds);
        return success(
                Verb.AWAIT_CMD,
                exchanges.exchange(Verb.AWAIT_CMD, pathAndQuery(Verb.AWAIT_CMD, query), limit),
                CmdAnswer.class);
    }

    @Override
    public void stop(Host host, Role role) throws ControlException, InterruptedException {
        expectSuccess(Verb.STOP, send(Verb.STOP, hostAndRole(host, role)));
    }

    @Override
    public void reset(Host host, Role role) throws ControlException, InterruptedException {
        expectSuccess(Verb.RESET, send(Verb.RESET, hostAndRole(host, role)));
    }

    @Override
    public List<String> sweep() throws ControlException, InterruptedException {
        return call(Verb.SWEEP, Map.of(), SweepAnswer.class).units();
    }

    @Override
    public ProbeReport probe() throws ControlException, InterruptedException {
        Answer answer = send(Verb.READY, Map.of());
        Optional<NotReady> notReady = Refusals.notReady(answer);
        if (notReady.isPresent()) {
            return notReady.get().report();
        }
        expectSuccess(Verb.READY, answer);
        return READY;
    }

    private static Map<String, String> hostAndMemory(Host host, MemoryTier memory) {
        return Map.of(ControlApi.HOST, host.value(), ControlApi.MEMORY_MAX, Long.toString(memory.maxBytes()));
    }

    private static Map<String, String> hostAndRole(Host host, Role role) {
        return Map.of(ControlApi.HOST, host.value(), ControlApi.ROLE, role.wireName());
    }

    private <T> T call(Verb verb, Map<String, String> query, Class<T> type)
            throws ControlException, InterruptedException {
        return success(verb, send(verb, query), type);
    }

    private Answer send(Verb verb, Map<String, String> query) throws ControlException, InterruptedException {
        Semaphore turn = turn(verb.lane());
        // A start or a stop may queue behind all that a box boots with: that is no failure, as it is of a look.
        if (verb.lane() != Lane.LOOKS) {
            turn.acquire();
        } else if (!turn.tryAcquire(verb.limit().toNanos(), TimeUnit.NANOSECONDS)) {
            throw new ControlException(
                    Outcome.NOTHING_RUNS,
                    verb + ": not sent: earlier ones had no answer for "
                            + verb.limit().toSeconds() + " s");
        }
        try {
            return exchanges.exchange(verb, pathAndQuery(verb, query), verb.limit());
        } finally {
            turn.release();
        }
    }

    private Semaphore turn(Lane lane) {
        Semaphore turn = turns.get(lane);
        if (turn == null) {
            throw new IllegalStateException("lane " + lane + ": it has no turns");
        }
        return turn;
    }

    private static String pathAndQuery(Verb verb, Map<String, String> query) {
        StringJoiner text = new StringJoiner("&", verb.path() + "?", "").setEmptyValue(verb.path());
        query.forEach((name, value) -> text.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return text.toString();
    }

    private static void expectSuccess(Verb verb, Answer answer) throws ControlException {
        if (!answer.isSuccess()) {
            throw Refusals.of(verb, answer);
        }
    }

    private static <T> T success(Verb verb, Answer answer, Class<T> type) throws ControlException {
        expectSuccess(verb, answer);
        try {
            return CarlosJson.read("answer to " + verb, answer.body(), type);
        } catch (InvalidDocumentException e) {
            throw new ControlException(Outcome.MAY_RUN, String.valueOf(e.getMessage()), e);
        }
    }
}
