package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.names.InvocationId;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** One request of the control channel at a time, each over a connection of its own. */
record ControlClient(Path socket) {
    /** As the agent: through its stand-in. */
    static final ControlClient OF_THE_AGENT = new ControlClient(Path.of("/run/carlos/agent/relay.sock"));

    /**
     * An answer; with the status 0 when the connection was closed without one.
     *
     * @param text the answer as it came, its head included
     */
    record Answer(int status, String text) {}

    Answer post(String path) {
        return call("POST " + path);
    }

    Answer get(String path) {
        return call("GET " + path);
    }

    /** The answer that tells how the command ended. */
    Answer awaitDone(Tenant tenant, InvocationId invocation) {
        Answer[] last = {new Answer(0, "")};
        Await.until("the end of the command of " + tenant, () -> {
            last[0] = get("/cmd?host=" + tenant + "&wait=25&invocation=" + invocation);
            return !last[0].text().contains("\"state\":\"running\"");
        });
        assertThat(last[0].text()).contains("\"state\":\"done\"");
        return last[0];
    }

    private Answer call(String request) {
        byte[] head = (request + " HTTP/1.1\r\nHost: carlos\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap(head));
            InputStream answer = Channels.newInputStream(channel);
            String text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(text.isEmpty() ? 0 : Integer.parseInt(text.split(" ", 3)[1]), text);
        } catch (IOException e) {
            // Closed before it was read, or nobody there yet.
            return new Answer(0, request + ": " + e.getMessage());
        }
    }
}
