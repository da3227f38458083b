package io.carlos.agent.container.podman;

import io.carlos.model.linux.Printable;
import java.util.List;

/**
 * What came of one call of podman.
 *
 * @param how it ended, in words that go on a sentence
 */
record PodmanAnswer(boolean succeeded, String how, String stdout, String stderr) {
    private static final int LINES = 10;

    /** What it said is wrong. */
    String complaint() {
        List<String> lines = lastLines();
        return lines.isEmpty() ? "podman " + how : lines.getLast();
    }

    List<String> lastLines() {
        List<String> lines = stderr.lines()
                .filter(line -> !line.isBlank())
                .map(Printable::of)
                .toList();
        return lines.subList(Math.max(0, lines.size() - LINES), lines.size());
    }
}
