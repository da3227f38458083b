package io.carlos.cli.agent;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.model.control.Problem;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
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

    private final Path socket;

    public AgentClient(Path socket) {
        this.socket = socket;
    }

    /**
     * Asks it.
     *
     * @throws CliException no agent answers, or it refused what was asked
     */
    public <T> T ask(Function<AgentApi, T> question) throws IOException {
        try (CloseableHttpClient http = http()) {
            return question.apply(api(http));
        } catch (ResourceAccessException e) {
            throw new CliException(
                    CliExit.UNAVAILABLE,
                    "no agent answers on " + socket + ": check systemctl status carlos-edge, and ask as root or as the"
                            + " agent's user",
                    e);
        } catch (RestClientException e) {
            throw new CliException(
                    CliExit.UNAVAILABLE,
                    "what answers on " + socket + " is no agent that this carlos understands: take the carlos of this"
                            + " box's agent",
                    e);
        }
    }

    /** Asks it if this is its box: empty when nobody answers or this user may not ask. */
    public <T> Optional<T> askIfHere(Function<AgentApi, T> question) throws IOException {
        if (!Files.exists(socket)) {
            return Optional.empty();
        }
        try {
            return Optional.of(ask(question));
        } catch (CliException e) {
            return Optional.empty();
        }
    }

    /** A start may take as long as its seed does, so no answer is ever late. */
    private CloseableHttpClient http() {
        return HttpClients.custom()
                .setDefaultRequestConfig(
                        RequestConfig.custom().setUnixDomainSocket(socket).build())
                .disableAutomaticRetries()
                .build();
    }

    private static AgentApi api(CloseableHttpClient http) {
        RestClient client = RestClient.builder()
                .baseUrl(ANY_HOST)
                .requestFactory(new HttpComponentsClientHttpRequestFactory(http))
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
        byte[] body = response.getBody().readAllBytes();
        try {
            return new CliException(
                    CliExit.REFUSED,
                    CarlosJson.read("the agent's refusal", body, Problem.class).detail());
        } catch (InvalidDocumentException e) {
            return new CliException(
                    CliExit.REFUSED,
                    "the agent refused it with status "
                            + response.getStatusCode().value() + "; its log tells more: journalctl -u carlos-edge",
                    e);
        }
    }
}
