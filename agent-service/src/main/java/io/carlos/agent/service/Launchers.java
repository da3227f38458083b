package io.carlos.agent.service;

import io.carlos.agent.launch.RunLauncher;
import io.carlos.model.records.Isolation;
import java.util.Map;

/** The isolation backends of this box. A type of its own, since Spring takes a map for one of beans by name. */
record Launchers(Map<Isolation, RunLauncher> byIsolation) {
    Launchers {
        byIsolation = Map.copyOf(byIsolation);
    }
}
