package io.carlos.control.server;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/**
 * Counts the requests that are being answered, and what is being done for requests, for whoever waits until there are
 * none. What is done for a request goes on when whoever asked has gone, and with it the request.
 */
public final class OpenRequests {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();
    private int open;

    /** The same handler, its requests counted until their answers are sent or their connections gone. */
    HttpHandler count(HttpHandler handler) {
        return (ServerHttpRequest request, ServerHttpResponse response) -> Mono.defer(() -> {
                    add(1);
                    return handler.handle(request, response);
                })
                .doFinally(any -> add(-1));
    }

    /** The same threads, each task counted from before it is handed over until it has ended. */
    public Executor count(Executor threads) {
        return task -> {
            add(1);
            boolean handedOver = false;
            try {
                threads.execute(() -> {
                    try {
                        task.run();
                    } finally {
                        add(-1);
                    }
                });
                handedOver = true;
            } finally {
                if (!handedOver) {
                    add(-1);
                }
            }
        };
    }

    private void add(int change) {
        lock.lock();
        try {
            open += change;
            if (open == 0) {
                none.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Requests that are being answered, and tasks. */
    int open() {
        lock.lock();
        try {
            return open;
        } finally {
            lock.unlock();
        }
    }

    void awaitNone() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (open > 0) {
                none.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
