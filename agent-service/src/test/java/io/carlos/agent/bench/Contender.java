package io.carlos.agent.bench;

import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ContainerSpec;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;

/** Containers of one technique, which {@link ContainerBenchmark} measures. Their commands find {@code true} and {@code head}. */
interface Contender {
    String name();

    ContainerRuntime runtime();

    /** Of a container of that name, with an empty environment but for a path. */
    ContainerSpec spec(String name);

    /**
     * From the moment somebody is given a container that was booted in advance until its first command has ended, in
     * nanoseconds; empty where none is.
     */
    OptionalLong nanosOfWarmStart() throws Exception;

    /** What a container that runs consists of on this machine: each part's name, and the process session that it leads. */
    Map<String, Integer> parts(ContainerId id) throws IOException;

    /** Leaves nothing of it. */
    void end() throws Exception;
}
