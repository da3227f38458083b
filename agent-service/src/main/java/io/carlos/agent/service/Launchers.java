package io.carlos.agent.service;

import io.carlos.agent.launch.RunLauncher;
import io.carlos.model.records.Isolation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The isolation backends of this box. A type of its own, since Spring takes a map for one of beans by name. */
record Launchers(Map<Isolation, RunLauncher> byIsolation) {
    Launchers {
        byIsolation = Map.copyOf(byIsolation);
    }

    /**
     * Those that an operator wants, of what there is.
     *
     * @throws IllegalArgumentException when one is not there
     */
    static Launchers of(Set<Isolation> wanted, List<IsolationBackend> backends) {
        Map<Isolation, RunLauncher> launchers = new EnumMap<>(Isolation.class);
        for (IsolationBackend backend : backends) {
            if (wanted.contains(backend.isolation())) {
                launchers.put(backend.isolation(), backend.launcher());
            }
        }
        for (Isolation isolation : wanted) {
            if (!launchers.containsKey(isolation)) {
                throw new IllegalArgumentException(AgentProperties.PREFIX + ".isolations has " + isolation
                        + ": this agent has no such backend; set it to some of unit, microvm, podman, and process, which"
                        + " isolates nothing");
            }
        }
        return new Launchers(launchers);
    }
}
