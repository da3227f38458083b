package io.carlos.agent.launch.container;

import io.carlos.agent.launch.LaunchRequest;
import java.nio.file.Path;

/** Where a run's directories are within its container. */
@FunctionalInterface
public interface ContainerPlaces {
    /** In every container at the same place. */
    static ContainerPlaces at(String target) {
        return request -> target;
    }

    /** Where the instance's data directory is. */
    String data(LaunchRequest request);

    /** Where the run's own directory is, which is in the other. */
    default String run(LaunchRequest request) {
        Path inData = request.dataDirectory().relativize(request.runDirectory()).normalize();
        if (inData.isAbsolute() || inData.startsWith("..")) {
            throw new IllegalArgumentException("the run directory " + request.runDirectory()
                    + " is outside of the data directory " + request.dataDirectory()
                    + ": expected it within, where the container has it too");
        }
        return data(request) + "/" + inData;
    }
}
