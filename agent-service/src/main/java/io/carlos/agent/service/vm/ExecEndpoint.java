package io.carlos.agent.service.vm;

import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.service.admin.AdminException;
import io.carlos.model.admin.AdminApi;
import io.carlos.model.exec.ExecCommand;
import io.carlos.model.exec.ExecFrame;
import io.carlos.model.exec.FrameType;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.VmName;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link AdminApi#EXEC}: a request whose bodies go both ways at once, as streams for threads that block. */
@RestController
final class ExecEndpoint {
    private static final Logger log = LoggerFactory.getLogger(ExecEndpoint.class);

    /** Buffers of the request that are read ahead. */
    private static final int READ_AHEAD = 4;

    private final Vms vms;

    ExecEndpoint(Vms vms) {
        this.vms = vms;
    }

    @PostMapping(AdminApi.EXEC)
    Mono<Void> exec(@PathVariable("vm") VmName name, ServerHttpRequest request, ServerHttpResponse response) {
        InputStream body = DataBufferUtils.subscriberInputStream(request.getBody(), READ_AHEAD);
        CompletableFuture<AttachedCommand> started = new CompletableFuture<>();
        onItsOwnThread(() -> attend(name, body, started));
        return Mono.fromFuture(started, true).flatMap(command -> answer(command, response));
    }

    private static void onItsOwnThread(Runnable task) {
        Thread.ofVirtual().name("exec").start(task);
    }

    /** From the request's first byte to its last; the command does not outlive it. */
    private void attend(VmName name, InputStream body, CompletableFuture<AttachedCommand> started) {
        try (body) {
            ExecCommand command = command(body);
            try (StreamingExec exec = vms.exec(name, TerminalCommand.of(command))) {
                AttachedCommand attached = new AttachedCommand(exec, body);
                started.complete(attached);
                attached.readRequest();
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            // Once it has started, its request may break off at any time, and often does.
            if (!started.completeExceptionally(e)) {
                log.debug("exec: vm={}: request broken off: {}", name, e.getMessage());
            }
        }
    }

    private static ExecCommand command(InputStream body) {
        try {
            ExecFrame first = ExecFrame.readFrom(body)
                    .filter(frame -> frame.type() == FrameType.COMMAND)
                    .orElseThrow(() -> bad("the request begins with no frame " + FrameType.COMMAND));
            return CarlosJson.read("the command", first.payload(), ExecCommand.class);
        } catch (IOException | InvalidDocumentException e) {
            throw bad(String.valueOf(e.getMessage()));
        }
    }

    private static AdminException bad(String detail) {
        return new AdminException(HttpStatus.BAD_REQUEST, detail);
    }

    private static Mono<Void> answer(AttachedCommand command, ServerHttpResponse response) {
        response.setStatusCode(HttpStatus.OK);
        response.getHeaders().setContentType(MediaType.APPLICATION_OCTET_STREAM);
        // Else the server would keep the connection, and read and drop what is left of the request, as long as there is
        // some.
        response.getHeaders().setConnection("close");
        // Not the response's own buffers: those that were fetched ahead when a client leaves are released by nobody.
        Publisher<DataBuffer> frames = DataBufferUtils.outputStreamPublisher(
                out -> writeAnswer(command, out),
                DefaultDataBufferFactory.sharedInstance,
                ExecEndpoint::onItsOwnThread);
        return response.writeAndFlushWith(Flux.from(frames).map(Mono::just));
    }

    private static void writeAnswer(AttachedCommand command, OutputStream out) {
        try {
            command.writeAnswer(out);
        } catch (IOException e) {
            throw new UncheckedIOException("the answer cannot be written", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("nobody interrupts it", e);
        }
    }
}
