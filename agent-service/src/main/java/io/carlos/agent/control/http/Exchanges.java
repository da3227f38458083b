package io.carlos.agent.control.http;

import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.json.CarlosJson;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;

/**
 * Requests and their answers, each over a connection of its own: one that was kept may have been closed by the other side
 * just when a request is sent, and then nobody could say whether it was executed. Nothing is sent twice.
 *
 * <p>The client's waits for a unix socket end by an interrupt and by no time limit. So each exchange has a platform
 * thread, which is interrupted when its time is up.
 */
final class Exchanges implements AutoCloseable {
    private static final String SENT = "io.carlos.sent";
    private static final byte[] NO_BODY = {};

    private final Path socket;
    private final CloseableHttpClient client;

    Exchanges(Path socket, int connections) {
        this.socket = socket;
        this.client = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnTotal(connections)
                        .setMaxConnPerRoute(connections)
                        .build())
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setUnixDomainSocket(socket)
                        .setProtocolUpgradeEnabled(false)
                        .build())
                .setRequestExecutor(new SendNoting())
                .setConnectionReuseStrategy((request, response, context) -> false)
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableContentCompression()
                .disableCookieManagement()
                .disableAuthCaching()
                .build();
    }

    /** Notes that a request is about to be sent, which it is only once there is a connection. */
    private static final class SendNoting extends HttpRequestExecutor {
        @Override
        public ClassicHttpResponse execute(
                ClassicHttpRequest request,
                HttpClientConnection connection,
                HttpResponseInformationCallback informationCallback,
                HttpContext context)
                throws IOException, HttpException {
            context.setAttribute(SENT, true);
            return super.execute(request, connection, informationCallback, context);
        }
    }

    /**
     * Brings the answer, whatever its status.
     *
     * @param pathAndQuery beginning with a slash
     * @throws ControlException when there is none within the limit
     */
    Answer exchange(Verb verb, String pathAndQuery, Duration limit) throws ControlException, InterruptedException {
        HttpUriRequestBase request = new HttpUriRequestBase(verb.method(), URI.create("http://control" + pathAndQuery));
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Thread worker = Thread.ofPlatform().daemon().name("control " + verb).start(() -> {
            try {
                answer.complete(execute(verb, request));
            } catch (ControlException | RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new ControlException(Outcome.MAY_RUN, verb + ": no answer within " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ControlException failure) {
                throw failure;
            }
            throw new ControlException(Outcome.MAY_RUN, verb + ": the client failed", e);
        } finally {
            worker.interrupt(); // no effect on one that has ended
        }
    }

    private Answer execute(Verb verb, HttpUriRequestBase request) throws ControlException {
        HttpClientContext context = HttpClientContext.create();
        try {
            return client.execute(request, context, Exchanges::answer);
        } catch (IOException e) {
            if (context.getAttribute(SENT) == null) {
                throw new ControlException(
                        Outcome.NOTHING_RUNS,
                        verb + ": the control service cannot be reached at " + socket + ": " + e.getMessage(),
                        e);
            }
            throw new ControlException(
                    Outcome.MAY_RUN, verb + ": the control service ended or hung up: " + e.getMessage(), e);
        }
    }

    private static Answer answer(ClassicHttpResponse response) throws IOException {
        HttpEntity entity = response.getEntity();
        byte[] body = entity == null ? null : EntityUtils.toByteArray(entity, CarlosJson.MAX_DOCUMENT_BYTES);
        return new Answer(response.getCode(), body == null ? NO_BODY : body);
    }

    @Override
    public void close() {
        client.close(CloseMode.IMMEDIATE);
    }
}
