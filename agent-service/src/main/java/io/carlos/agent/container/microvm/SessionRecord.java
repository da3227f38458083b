package io.carlos.agent.container.microvm;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.linux.process.ProcessStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a session's directory says of it, for whoever finds it without its agent.
 *
 * @param boot of this machine; processes of another boot are gone, whoever has their numbers
 * @param programs those that were started
 */
record SessionRecord(int schema, String name, String workspace, String boot, List<Started> programs) {
    private static final Logger log = LoggerFactory.getLogger(SessionRecord.class);

    private static final int SCHEMA = 1;
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    SessionRecord {
        programs = List.copyOf(programs);
    }

    /** @param startTime as in {@code /proc/<pid>/stat}: no two processes of one boot have both numbers in common */
    record Started(String program, int pid, long startTime) {
        ProcessStat.Identity identity() {
            return new ProcessStat.Identity(pid, startTime);
        }
    }

    static SessionRecord of(String name, Path workspace, List<Started> programs) throws IOException {
        return new SessionRecord(SCHEMA, name, workspace.toString(), currentBoot(), programs);
    }

    static String currentBoot() throws IOException {
        return Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip();
    }

    /** Whoever reads it, also after the agent was killed, sees this one or the one before. */
    void write(SessionDirectory directory) throws IOException {
        Path made = directory.record().resolveSibling("session.json.new");
        Files.write(made, CarlosJson.write(this));
        Files.move(made, directory.record(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Empty when there is none, or none that can be understood. */
    static Optional<SessionRecord> read(SessionDirectory directory) throws IOException {
        try {
            byte[] content = Files.readAllBytes(directory.record());
            return Optional.of(CarlosJson.read(directory.record().toString(), content, SessionRecord.class, SCHEMA));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (InvalidDocumentException e) {
            log.warn("microvm: {}: not believed: {}", directory, e.getMessage());
            return Optional.empty();
        }
    }
}
