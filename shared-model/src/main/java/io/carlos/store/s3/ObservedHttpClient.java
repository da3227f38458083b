package io.carlos.store.s3;

import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;

/** Tells the {@link SendProgress} of the calling thread's call how far its request has got. */
final class ObservedHttpClient implements SdkHttpClient {
    /** The SDK's synchronous client sends on the thread that calls it. */
    static final ScopedValue<SendProgress> PROGRESS = ScopedValue.newInstance();

    private final SdkHttpClient client;

    ObservedHttpClient(SdkHttpClient client) {
        this.client = client;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return client.prepareRequest(PROGRESS.isBound() ? observed(request, PROGRESS.get()) : request);
    }

    private static HttpExecuteRequest observed(HttpExecuteRequest request, SendProgress progress) {
        long length = request.httpRequest()
                .firstMatchingHeader("Content-Length")
                .map(Long::parseLong)
                .orElse(0L);
        progress.begin(length);
        ContentStreamProvider body = request.contentStreamProvider().orElse(null);
        if (body == null) {
            return request;
        }
        return HttpExecuteRequest.builder()
                .request(request.httpRequest())
                .contentStreamProvider(() -> progress.counting(body.newStream(), length))
                .metricCollector(request.metricCollector().orElse(null))
                .build();
    }

    @Override
    public String clientName() {
        return client.clientName();
    }

    @Override
    public void close() {
        client.close();
    }
}
