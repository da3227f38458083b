package io.carlos.agent.service;

import io.carlos.agent.launch.RunLauncher;
import io.carlos.model.records.Isolation;

/** What executes the runs of instances of one isolation. Each configuration that has one contributes it as a bean. */
record IsolationBackend(Isolation isolation, RunLauncher launcher) {}
