package io.carlos.agent.simulation;

import io.carlos.model.runs.RunId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What of a box outlives its agent: the run directories on its disk, which start it had, and commands that nobody has ended. */
final class Remains {
    private final Map<RunId, String> directories = new HashMap<>();
    private final Map<RunId, String> commands = new HashMap<>();

    private String lastStart;

    /** The last start of its agent that took its name; null before the first. */
    String lastStart() {
        return lastStart;
    }

    void noteStart(String bootId) {
        lastStart = bootId;
    }

    void staged(RunId id, String bootId) {
        directories.put(id, bootId);
    }

    void removed(RunId id) {
        directories.remove(id);
    }

    void began(RunId id, String bootId) {
        commands.put(id, bootId);
    }

    /** How many commands of one start run now. */
    long commandsOf(String bootId) {
        return commands.values().stream().filter(bootId::equals).count();
    }

    void ended(RunId id) {
        commands.remove(id);
    }

    void sweep() {
        directories.clear();
        commands.clear();
    }

    /** Something that another start of the agent than this one has left, in words. */
    Optional<String> ofOthersThan(String bootId) {
        return find("the directory of ", directories, bootId).or(() -> find("the command of ", commands, bootId));
    }

    private static Optional<String> find(String what, Map<RunId, String> boots, String bootId) {
        return boots.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(bootId))
                .map(entry -> what + entry.getKey() + " of " + entry.getValue())
                .sorted()
                .findFirst();
    }
}
