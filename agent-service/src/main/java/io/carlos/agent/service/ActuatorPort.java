package io.carlos.agent.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Serves health and metrics, and nothing else, on a TCP address beside the socket, where an operator wants that. */
final class ActuatorPort implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(ActuatorPort.class);
    private static final String SERVED = "/actuator/";

    private final Optional<ListenAddress> address;
    private final HttpHandler handler;
    private volatile @Nullable DisposableServer server;

    /** @param handler serves more than is served here */
    ActuatorPort(Optional<ListenAddress> address, HttpHandler handler) {
        this.address = address;
        this.handler = handler;
    }

    /**
     * Whether it could be served there now; what takes the port between this and the start ends the start.
     *
     * @throws UncheckedIOException it could not
     */
    static void requireFree(Optional<ListenAddress> address) {
        address.ifPresent(wanted -> {
            try (ServerSocketChannel probe = ServerSocketChannel.open()) {
                probe.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(wanted.socketAddress());
            } catch (UnresolvedAddressException e) {
                throw new IllegalArgumentException(
                        "actuator: " + wanted + ": no such host: set carlos.agent.actuator-address to one of this box",
                        e);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "actuator: " + wanted + ": " + e.getMessage()
                                + ": stop what has it, or set another carlos.agent.actuator-address",
                        e);
            }
        });
    }

    @Override
    public void start() {
        address.ifPresent(wanted -> {
            server = HttpServer.create()
                    .bindAddress(wanted::socketAddress)
                    .handle(new ReactorHttpHandlerAdapter(actuatorAlone()))
                    .bindNow();
            log.info("serve: {}: health and metrics, to whoever reaches it", wanted);
        });
    }

    private HttpHandler actuatorAlone() {
        return (request, response) -> {
            if (request.getURI().getRawPath().startsWith(SERVED)) {
                return handler.handle(request, response);
            }
            response.setStatusCode(HttpStatus.NOT_FOUND);
            return response.setComplete();
        };
    }

    /** The one that was chosen. */
    int port() {
        DisposableServer serving = server;
        if (serving == null) {
            throw new IllegalStateException("actuator: it is served on no port");
        }
        return serving.port();
    }

    @Override
    public void stop() {
        DisposableServer serving = server;
        server = null;
        if (serving != null) {
            serving.disposeNow();
        }
    }

    @Override
    public boolean isRunning() {
        return server != null;
    }

    /** With the socket, before the agent says that it serves. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE - 2;
    }
}
