package io.carlos.agent.service.vm;

import java.nio.file.Path;

/**
 * The directory of the box that a machine has.
 *
 * @param made whether it was made for the machine, and goes with it
 */
record Workspace(Path path, boolean made) {}
