package io.carlos.control.verb;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.StatusFile;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.SystemdEscape;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.util.Optional;

/**
 * The files in which the program in a unit's namespace tells how far its command got. A tenant can write them too, so a
 * link, a fifo or nonsense in the place of one is as good as none.
 */
public final class StatusFiles {
    private final BoxPaths paths;

    public StatusFiles(BoxPaths paths) {
        this.paths = paths;
    }

    /** Whether the program says that it has set itself up and starts its command, has started it, or refused to. */
    public boolean hasBegun(UnitName unit, InvocationId invocation) {
        return read(unit, invocation).isPresent();
    }

    /** What it says of this invocation; empty when there is no such file, or none that can be believed. */
    public Optional<StatusFile> read(UnitName unit, InvocationId invocation) {
        try {
            InstanceId id = InstanceId.of(SystemdEscape.unescape(unit.escapedId()));
            try (Directory instance = Directory.open(paths.instanceRun(id));
                    LinuxFile file = instance.openFile(StatusFile.fileName(unit.role(), invocation))) {
                StatusFile status = StatusFile.read(file.readAll(StatusFile.MAX_BYTES));
                return Optional.of(status).filter(read -> read.invocation().equals(invocation));
            }
        } catch (IOException | InvalidDocumentException | InvalidNameException e) {
            return Optional.empty();
        }
    }
}
