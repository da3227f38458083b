package io.carlos.cli.agent;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.impl.DefaultContentLengthStrategy;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.impl.io.ContentLengthInputStream;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.impl.io.IdentityInputStream;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.AbstractClientHttpRequest;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Requests without a body over a unix socket, each over a connection of its own, which an interrupt closes.
 *
 * <p>A {@link ConnectException} says that nobody was reached; after any other failure the request may have been carried out.
 */
final class SocketRequests implements ClientHttpRequestFactory {
    private static final int BUFFER_LENGTH = 8 * 1024;

    private final Path socket;

    SocketRequests(Path socket) {
        this.socket = socket;
    }

    @Override
    public ClientHttpRequest createRequest(URI uri, HttpMethod method) {
        return new Request(uri, method);
    }

    private final class Request extends AbstractClientHttpRequest {
        private final URI uri;
        private final HttpMethod method;

        Request(URI uri, HttpMethod method) {
            this.uri = uri;
            this.method = method;
        }

        @Override
        public HttpMethod getMethod() {
            return method;
        }

        @Override
        public URI getURI() {
            return uri;
        }

        @Override
        protected OutputStream getBodyInternal(HttpHeaders headers) {
            throw new UnsupportedOperationException(method + " " + uri + ": no request to an agent has a body");
        }

        @Override
        protected ClientHttpResponse executeInternal(HttpHeaders headers) throws IOException {
            try (SocketChannel connection = connect(socket)) {
                ByteBuffer head = ByteBuffer.wrap(head(headers).getBytes(StandardCharsets.US_ASCII));
                while (head.hasRemaining()) {
                    connection.write(head);
                }
                return read(Channels.newInputStream(connection));
            } catch (HttpException e) {
                throw new IOException("what answers speaks no HTTP: " + e.getMessage(), e);
            }
        }

        private String head(HttpHeaders headers) {
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            StringBuilder head = new StringBuilder(method + " " + uri.getRawPath() + query + " HTTP/1.1\r\n");
            head.append("Host: ").append(uri.getHost()).append("\r\nConnection: close\r\n");
            if (method.equals(HttpMethod.POST)) {
                head.append("Content-Length: 0\r\n");
            }
            headers.getAccept()
                    .forEach(type -> head.append("Accept: ").append(type).append("\r\n"));
            return head.append("\r\n").toString();
        }
    }

    /** @throws ConnectException nobody was reached */
    static SocketChannel connect(Path socket) throws ConnectException {
        try {
            return SocketChannel.open(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            ConnectException unreached = new ConnectException(socket + ": " + e.getMessage());
            unreached.initCause(e);
            throw unreached;
        }
    }

    private static ClientHttpResponse read(InputStream in) throws IOException, HttpException {
        SessionInputBuffer buffer = new SessionInputBufferImpl(BUFFER_LENGTH);
        ClassicHttpResponse response = new DefaultHttpResponseParser().parse(buffer, in);
        if (response == null) {
            throw new NoHttpResponseException("no answer");
        }
        HttpHeaders headers = new HttpHeaders();
        for (Header header : response.getHeaders()) {
            headers.add(header.getName(), header.getValue());
        }
        if (response.getCode() == HttpStatus.NO_CONTENT.value()) {
            return new Answer(response.getCode(), response.getReasonPhrase(), headers, InputStream.nullInputStream());
        }
        try (InputStream body = body(response, buffer, in)) {
            InputStream whole = new ByteArrayInputStream(body.readAllBytes());
            return new Answer(response.getCode(), response.getReasonPhrase(), headers, whole);
        }
    }

    /** What follows the head, up to its end. */
    static InputStream body(ClassicHttpResponse response, SessionInputBuffer buffer, InputStream in)
            throws HttpException {
        long length = DefaultContentLengthStrategy.INSTANCE.determineLength(response);
        if (length == ContentLengthStrategy.CHUNKED) {
            return new ChunkedInputStream(buffer, in);
        }
        return length >= 0 ? new ContentLengthInputStream(buffer, in, length) : new IdentityInputStream(buffer, in);
    }

    /** All of it has been read, and its connection is closed. */
    private record Answer(int status, String reason, HttpHeaders headers, InputStream body)
            implements ClientHttpResponse {
        @Override
        public HttpStatusCode getStatusCode() {
            return HttpStatusCode.valueOf(status);
        }

        @Override
        public String getStatusText() {
            return reason;
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public InputStream getBody() {
            return body;
        }

        @Override
        public void close() {
            // The connection is closed already.
        }
    }
}
