package io.carlos.agent.instance;

import java.io.IOException;

/** Something done on the disk. */
@FunctionalInterface
interface IoTask {
    void run() throws IOException;
}
