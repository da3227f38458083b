package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Environment;

/**
 * What a process outside of the namespace has, as the unit's environment tells: from inside nobody can tell whether what is
 * there is the box's own. Each is empty when the environment does not tell.
 *
 * @param ipc the namespace of System V IPC and message queues, such as {@code ipc:[4026531839]}
 * @param run the device mounted on {@code /run}, such as {@code 0:25}
 * @param sharedMemory the device mounted on {@code /dev/shm}
 * @param queues the device mounted on {@code /dev/mqueue}
 */
record Outside(String ipc, String run, String sharedMemory, String queues) {
    static Outside of(Environment environment) {
        return new Outside(
                environment.get("CARLOS_OUTSIDE_IPC", ""),
                environment.get("CARLOS_OUTSIDE_RUN", ""),
                environment.get("CARLOS_OUTSIDE_SHM", ""),
                environment.get("CARLOS_OUTSIDE_MQUEUE", ""));
    }
}
