package io.carlos.agent.instance;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final Map<Host, InstanceRow> rows = new ConcurrentHashMap<>();

    private InstanceTable(Directory directory) {
        this.directory = directory;
    }

    /**
     * Opens the table, and creates it when it is absent. A row that cannot be read is logged and its file renamed to end in
     * {@code .corrupt}; the others are there.
     *
     * @param data the box's data directory
     */
    public static InstanceTable open(Path data) throws IOException {
        try (Directory root = Directory.open(data);
                Directory agent = root.createDirectories(AGENT, DIRECTORY_MODE)) {
            agent.setMode(DIRECTORY_MODE);
            InstanceTable table = new InstanceTable(agent.createDirectories(INSTANCES, DIRECTORY_MODE));
            try {
                table.directory.setMode(DIRECTORY_MODE);
                table.load();
                return table;
            } catch (IOException | RuntimeException e) {
                table.close();
                throw e;
            }
        }
    }

    private void load() throws IOException {
        for (String name : directory.list()) {
            if (AtomicFile.isTemporary(name)) {
                directory.removeTree(name);
            } else if (name.endsWith(SUFFIX)) {
                load(name);
            }
        }
    }

    private void load(String name) throws IOException {
        InstanceRow row;
        try (LinuxFile file = directory.openFile(name)) {
            row = CarlosJson.read(
                    "instance row " + name, file.readAll(MAX_ROW_BYTES), InstanceRow.class, InstanceRow.SCHEMA);
            if (!fileName(row.host()).equals(name)) {
                throw new InvalidDocumentException("instance row " + name, "it is the row of " + row.host());
            }
        } catch (InvalidDocumentException | IOException e) {
            log.error("instances: row set aside: file={} as={} cause={}", name, name + SET_ASIDE, e.getMessage());
            directory.removeTree(name + SET_ASIDE);
            directory.rename(name, directory, name + SET_ASIDE);
            directory.sync();
            return;
        }
        rows.put(row.host(), row);
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

    /** Puts the row in the place of the host's earlier one; when it fails, the earlier one stays. */
    void put(InstanceRow row) throws IOException {
        AtomicFile.write(directory, fileName(row.host()), FILE_MODE, CarlosJson.write(row));
        rows.put(row.host(), row);
    }

    /** As {@link #put}, but holds as long as this agent lives also when the disk fails, which is logged: a state is worth no failure. */
    void note(InstanceRow row) {
        rows.put(row.host(), row);
        try {
            put(row);
        } catch (IOException e) {
            log.error("instances: row not written: host={} state={} cause={}", row.host(), row.state(), e.getMessage());
        }
    }

    private static String fileName(Host host) {
        return InstanceId.of(host) + SUFFIX;
    }

    @Override
    public void close() throws IOException {
        directory.close();
    }
}
