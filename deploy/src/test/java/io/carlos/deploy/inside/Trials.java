package io.carlos.deploy.inside;

import io.carlos.model.files.StatusFile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The same again, as often as it takes to see what happens only now and then. */
final class Trials {
    static final int TIMES = Lane.times(50, 10);

    static final int AT_ONCE = Lane.times(5, 2);

    private Trials() {}

    /** Tries it that many times, on some hosts side by side, and returns what each trial came to. */
    static List<String> onEach(String name, Function<Tenant, String> trial)
            throws InterruptedException, ExecutionException {
        List<Tenant> tenants = Tenant.several(AT_ONCE, name);
        List<String> endings = new ArrayList<>();
        for (List<String> ofOneHost : sideBySide(
                tenants,
                tenant -> IntStream.range(0, TIMES / AT_ONCE)
                        .mapToObj(i -> trial.apply(tenant))
                        .toList())) {
            endings.addAll(ofOneHost);
        }
        return endings;
    }

    /** Does it for all of them at once, and returns what each came to, in their order. */
    static <T> List<T> sideBySide(List<Tenant> tenants, Function<Tenant, T> work)
            throws InterruptedException, ExecutionException {
        List<Callable<T>> calls = tenants.stream()
                .<Callable<T>>map(tenant -> () -> work.apply(tenant))
                .collect(Collectors.toList());
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(tenants.size())) {
            for (Future<T> result : threads.invokeAll(calls)) {
                results.add(result.get());
            }
        }
        return results;
    }

    static String describe(StatusFile status) {
        return status.cause() + " " + status.status();
    }
}
