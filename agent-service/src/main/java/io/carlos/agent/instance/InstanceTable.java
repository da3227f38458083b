package io.carlos.agent.instance;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.json.UnsupportedSchemaException;
import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instances of a box on its own disk: one file a host in {@code .agent/instances} of the data directory, which only the
 * agent's user can read, and no tenant sees. A row that was put is durable. Any thread may call; the rows of one host are put by one
 * thread at a time.
 */
public final class InstanceTable implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(InstanceTable.class);

    private static final String AGENT = ".agent";
    private static final String INSTANCES = "instances";
    private static final String SUFFIX = ".json";
    private static final String SET_ASIDE = ".corrupt";
    private static final int DIRECTORY_MODE = 0700;
    private static final int FILE_MODE = 0600;
    private static final int MAX_ROW_BYTES = 4 * 1024 * 1024;

    private final Directory directory;
    private final OwnerNotes owners;
    private final Map<Host, InstanceRow> rows = new ConcurrentHashMap<>();
    private final Set<String> setAside = new HashSet<>();

    private InstanceTable(Directory directory, OwnerNotes owners) {
        this.directory = directory;
        this.owners = owners;
    }

    /**
     * Opens the table, and creates it when it is absent. A row that is no row is logged and its file renamed to end in
     * {@code .corrupt}; the others are there. For as long as that file is there, {@link #lostRow} tells of it.
     *
     * @param data the box's data directory
     * @throws IOException also when a row is there that another release wrote, or the disk fails: to go on without it would be to
     *     forget whose data it is
     */
    public static InstanceTable open(Path data) throws IOException {
        try (Directory root = Directory.open(data);
                Directory agent = root.createDirectories(AGENT, DIRECTORY_MODE)) {
            agent.setMode(DIRECTORY_MODE);
            Directory instances = agent.createDirectories(INSTANCES, DIRECTORY_MODE);
            try {
                instances.setMode(DIRECTORY_MODE);
                return loaded(instances, OwnerNotes.open(root));
            } catch (IOException | RuntimeException e) {
                instances.close();
                throw e;
            }
        }
    }

    private static InstanceTable loaded(Directory instances, OwnerNotes owners) throws IOException {
        InstanceTable table = new InstanceTable(instances, owners);
        try {
            table.load();
            for (InstanceRow row : table.rows.values()) {
                owners.keepOld(row); // of an agent that kept no notes yet
            }
            return table;
        } catch (IOException | RuntimeException e) {
            owners.close();
            throw e;
        }
    }

    private void load() throws IOException {
        for (String name : directory.list()) {
            if (AtomicFile.isTemporary(name)) {
                directory.removeTree(name);
            } else if (name.endsWith(SUFFIX)) {
                load(name);
            } else if (name.endsWith(SUFFIX + SET_ASIDE)) {
                setAside.add(name);
            }
        }
    }

    private void load(String name) throws IOException {
        byte[] content;
        try (LinuxFile file = directory.openFile(name)) {
            content = file.readAll(MAX_ROW_BYTES);
        }
        try {
            InstanceRow row = CarlosJson.read("instance row " + name, content, InstanceRow.class, InstanceRow.SCHEMA);
            if (!fileName(row.host()).equals(name)) {
                throw new InvalidDocumentException("instance row " + name, "it is the row of " + row.host());
            }
            rows.put(row.host(), row);
        } catch (UnsupportedSchemaException e) {
            throw new IOException(
                    "instances: " + directory + ": " + e.getMessage() + ": run the release that wrote it", e);
        } catch (InvalidDocumentException e) {
            log.error("instances: row set aside: file={} as={} cause={}", name, name + SET_ASIDE, e.getMessage());
            directory.removeTree(name + SET_ASIDE);
            directory.rename(name, directory, name + SET_ASIDE);
            directory.sync();
            setAside.add(name + SET_ASIDE);
        }
    }

    /** All rows, in the order of their hosts. */
    public List<InstanceRow> rows() {
        return rows.values().stream()
                .sorted(Comparator.comparing(row -> row.host().value()))
                .toList();
    }

    public Optional<InstanceRow> row(Host host) {
        return Optional.ofNullable(rows.get(host));
    }

    /**
     * Whose the data of a host is by the note beside it; empty when that does not say.
     *
     * @throws IOException the disk did not say
     */
    Optional<OwnerNote> owner(Host host) throws IOException {
        return owners.find(host);
    }

    /** The file of the host's row, if it is set aside. */
    Optional<Path> lostRow(Host host) {
        String name = fileName(host) + SET_ASIDE;
        return setAside.contains(name)
                ? Optional.of(Path.of(directory.shownPath()).resolve(name))
                : Optional.empty();
    }

    /** Puts the row in the place of the host's earlier one; when it fails, the earlier one stays. */
    void put(InstanceRow row) throws IOException {
        owners.keep(row); // first: once there is a row, there may be data
        AtomicFile.write(directory, fileName(row.host()), FILE_MODE, CarlosJson.write(row));
        rows.put(row.host(), row);
    }

    /** As {@link #put}, but holds as long as this agent lives also when it fails. */
    void hold(InstanceRow row) throws IOException {
        rows.put(row.host(), row);
        put(row);
    }

    /** As {@link #hold}, but a failure is only logged: a state is worth none. */
    void note(InstanceRow row) {
        try {
            hold(row);
        } catch (IOException e) {
            log.error("instances: row not written: host={} state={} cause={}", row.host(), row.state(), e.getMessage());
        }
    }

    private static String fileName(Host host) {
        return InstanceId.of(host) + SUFFIX;
    }

    @Override
    public void close() throws IOException {
        try (owners) {
            directory.close();
        }
    }
}
