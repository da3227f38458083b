package io.carlos.cli.agent;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.model.admin.AdminApi;
import io.carlos.model.control.Problem;
import io.carlos.model.exec.ExecCommand;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.VmName;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** The agent of a box, asked over its socket. Nothing of it is made before it is asked, and no request is sent twice. */
public final class AgentClient {
    /** Where the agent of this box is, as the value of an option. */
    public static final String DEFAULT_SOCKET = "/run/carlos/agent/agent.sock";

    /** What {@code --socket} is. */
    public static final String SOCKET = "The socket of the box's agent";

    /** A unix socket has no name that a request could give. */
    private static final String ANY_HOST = "http://agent";

    /** Of whoever asks beside something else. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Path socket;
    private final Duration patience;

    public AgentClient(Path socket) {
        this(socket, PATIENCE);
    }

    /** @param patience how long {@link #askIfHere} waits */
    AgentClient(Path socket, Duration patience) {
        this.socket = socket;
        this.patience = patience;
    }

    /**
     * Asks it. A start may take as long as its seed does, so no answer is ever late.
     *
     * @throws CliException no agent answers, or it refused what was asked
     */
    public <T> T ask(Function<AgentApi, T> question) {
        try {
            return question.apply(api());
        } catch (ResourceAccessException e) {
            throw new CliException(CliExit.UNAVAILABLE, isUnreached(e) ? noAgent() : noAnswer(), e);
        } catch (RestClientException e) {
            throw new CliException(
                    CliExit.UNAVAILABLE,
                    "what answers on " + socket + " is no agent that this carlos understands: take the carlos of this"
                            + " box's agent",
                    e);
        }
    }

    /**
     * Has a command executed in a machine.
     *
     * @return when its program has been executed
     * @throws CliException no agent answers, or it refused the command
     */
    public ExecConnection exec(VmName vm, ExecCommand command) {
        try {
            return ExecConnection.open(socket, AdminApi.EXEC.replace("{vm}", vm.value()), command);
        } catch (ConnectException e) {
            throw new CliException(CliExit.UNAVAILABLE, noAgent(), e);
        } catch (IOException e) {
            throw new CliException(CliExit.UNAVAILABLE, noAnswer(), e);
        }
    }

    private static boolean isUnreached(Throwable failure) {
        return failure.getCause() instanceof ConnectException;
    }

    private String noAgent() {
        return "no agent answers on " + socket + ": check systemctl status carlos-edge, and ask as root or as the"
                + " agent's user";
    }

    private String noAnswer() {
        return "the agent on " + socket + " hung up before it answered, so what was asked may have been done: look with"
                + " carlos box status before you ask again";
    }

    /**
     * Asks it if this is its box. Nobody waits for it for long, and its failure is no failure of whoever asks.
     *
     * @param warn hears one sentence when an agent is there and did not answer what was asked
     * @return empty when no agent is there or this user may not ask it, and after a warning
     */
    public <T> Optional<T> askIfHere(Function<AgentApi, T> question, Consumer<String> warn)
            throws InterruptedException {
        if (!Files.exists(socket)) {
            return Optional.empty();
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread asking = Thread.ofVirtual().name("ask the agent").start(() -> {
            try {
                answer.complete(ask(question));
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            return Optional.of(answer.get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            warn.accept("the agent on " + socket + " gave no answer within " + patience.toMillis() + " ms: check"
                    + " systemctl status carlos-edge");
        } catch (ExecutionException e) {
            warnUnlessUnreached(e.getCause(), warn);
        } finally {
            asking.interrupt(); // closes the connection of one that still waits
        }
        return Optional.empty();
    }

    private static void warnUnlessUnreached(@Nullable Throwable failure, Consumer<String> warn) {
        if (!(failure instanceof CliException known)) {
            throw new IllegalStateException("the agent's client failed", failure);
        }
        Throwable cause = known.getCause();
        if (cause == null || !isUnreached(cause)) {
            warn.accept(known.getMessage());
        }
    }

    private AgentApi api() {
        RestClient client = RestClient.builder()
                .baseUrl(ANY_HOST)
                .requestFactory(new SocketRequests(socket))
                .configureMessageConverters(converters ->
                        converters.withJsonConverter(new JacksonJsonHttpMessageConverter(CarlosJson.mapper())))
                .defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {
                    throw refusal(response);
                })
                .build();
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(AgentApi.class);
    }

    private static CliException refusal(ClientHttpResponse response) throws IOException {
        return refusal(response.getStatusCode().value(), response.getBody().readAllBytes());
    }

    /** What the user is told of an answer that says no. */
    static CliException refusal(int status, byte[] body) {
        CliExit exit = status == HttpStatus.BAD_REQUEST.value() ? CliExit.USAGE : CliExit.REFUSED;
        try {
            return new CliException(
                    exit,
                    CarlosJson.read("the agent's refusal", body, Problem.class).detail());
        } catch (InvalidDocumentException e) {
            return new CliException(
                    exit,
                    "the agent refused it with status " + status + "; its log tells more: journalctl -u carlos-edge",
                    e);
        }
    }
}
