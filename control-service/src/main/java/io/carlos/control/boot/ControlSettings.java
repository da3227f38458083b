package io.carlos.control.boot;

import io.carlos.model.box.BoxPaths;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the service runs. Paths are texts here: Spring would look for {@code /} and what is below it among the resources
 * of the class path first.
 *
 * @param root where the box's file system starts
 * @param systemctl the program that carries the calls to systemd
 * @param cgroupRoot where the cgroup2 file system is mounted
 * @param peer whom it answers
 * @param probeInterval from the end of a run of the probe that found the box ready to the next
 */
@ConfigurationProperties("carlos.control")
public record ControlSettings(
        @DefaultValue("/") String root,
        @DefaultValue("/usr/bin/systemctl") String systemctl,
        @DefaultValue("/sys/fs/cgroup") String cgroupRoot,
        @DefaultValue Peer peer,
        @DefaultValue("5m") Duration probeInterval) {

    /**
     * The one process that is answered.
     *
     * @param user whose it is; also the group of the file that no tenant may read
     * @param unit whose main process it is; empty, which only the profile {@code dev} allows: any process of the user
     * @param budget how long systemd has to say which process that is
     */
    public record Peer(
            @DefaultValue("carlos") String user,
            @DefaultValue("carlos-edge.service") String unit,
            @DefaultValue("3s") Duration budget) {
        Optional<String> unitName() {
            return Optional.of(unit).filter(name -> !name.isEmpty());
        }
    }

    BoxPaths paths() {
        return BoxPaths.under(Path.of(root));
    }
}
