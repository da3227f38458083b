package io.carlos.agent.bench;

import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What the processes of one process session have in memory, in KiB.
 *
 * @param own their heaps, stacks and files
 * @param shared memory that several of them may have, such as a guest's
 */
record ResidentMemory(long own, long shared) {
    static ResidentMemory ofSession(int session) throws IOException {
        long own = 0;
        long shared = 0;
        for (ProcessStat process : ProcFs.processes()) {
            if (process.session() == session) {
                ResidentMemory one = ofProcess(process.pid());
                own += one.own;
                shared += one.shared;
            }
        }
        return new ResidentMemory(own, shared);
    }

    private static ResidentMemory ofProcess(int pid) throws IOException {
        long own = 0;
        long shared = 0;
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Integer.toString(pid), "status"))) {
                if (line.startsWith("RssAnon:") || line.startsWith("RssFile:")) {
                    own += number(line);
                } else if (line.startsWith("RssShmem:")) {
                    shared += number(line);
                }
            }
        } catch (NoSuchFileException e) {
            // It has ended, and has nothing any more.
            return new ResidentMemory(0, 0);
        }
        return new ResidentMemory(own, shared);
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("\\D", ""));
    }

    @Override
    public String toString() {
        return "%d MB + %d MB shared".formatted(own / 1000, shared / 1000);
    }
}
