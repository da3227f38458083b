package io.carlos.agent.service;

import io.carlos.model.json.CarlosJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** Whoever asks an agent over its socket. */
public final class AdminClient {
    private final RestClient client;

    AdminClient(Path socket) {
        this.client = RestClient.builder()
                .requestFactory(new HttpComponentsClientHttpRequestFactory(HttpClients.custom()
                        .setDefaultRequestConfig(RequestConfig.custom()
                                .setUnixDomainSocket(socket)
                                .build())
                        .build()))
                .baseUrl("http://agent")
                .build();
    }

    /** @param type without parameters, as it was sent; empty when there was none */
    public record Answer(int status, String type, String body) {
        public <T> T as(Class<T> answer) {
            return CarlosJson.read("answer", body.getBytes(StandardCharsets.UTF_8), answer);
        }
    }

    public Answer get(String path) {
        return ask(HttpMethod.GET, path);
    }

    public Answer post(String path) {
        return ask(HttpMethod.POST, path);
    }

    public Answer delete(String path) {
        return ask(HttpMethod.DELETE, path);
    }

    private Answer ask(HttpMethod method, String path) {
        return client.method(method).uri(path).exchange((request, response) -> {
            String body = new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8);
            String type = response.getHeaders().getContentType() == null
                    ? ""
                    : response.getHeaders().getContentType().toString();
            return new Answer(response.getStatusCode().value(), type, body);
        });
    }
}
