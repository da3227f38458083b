package io.carlos.deploy.inside;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;

/**
 * The boots of a box while its tests run, in their order. Each test class is of one of them, by its tag. A virtual machine
 * takes minutes to boot, and has the last one alone.
 */
enum Boot {
    FIRST(TagFilter.includeTags(Boot.BEFORE_REBOOT)),
    AFTER_REBOOT(TagFilter.includeTags(Boot.BETWEEN), "reboot"),
    /** A box that has lost its power was not shut down: whatever ran is gone in one moment, and so is all memory. */
    AFTER_POWER_LOSS(TagFilter.excludeTags(Boot.BEFORE_REBOOT, Boot.BETWEEN), "reboot", "--force", "--force");

    /** For tests in the first boot. */
    static final String BEFORE_REBOOT = "before-reboot";

    /** For tests after the reboot and before the loss of power. All without a tag come after that. */
    static final String BETWEEN = "before-power-loss";

    private static final Path NUMBER = Path.of("/var/lib/carlos-suite-boot");
    private static final Path SUITE = Path.of("/run/systemd/system/carlos-suite.service.d/goes-on.conf");

    private final PostDiscoveryFilter tests;
    private final List<String> arrival;

    Boot(PostDiscoveryFilter tests, String... arrival) {
        this.tests = tests;
        this.arrival = List.of(arrival);
    }

    PostDiscoveryFilter tests() {
        return tests;
    }

    /** This boot and those after it. */
    static Stream<Boot> left() throws IOException {
        Boot current = Files.exists(NUMBER) ? valueOf(Files.readString(NUMBER)) : FIRST;
        return Stream.of(values())
                .filter(boot -> boot.compareTo(current) >= 0)
                .filter(boot -> boot == AFTER_POWER_LOSS || Lane.current() == Lane.NSPAWN);
    }

    /** Ends the present boot so that this one comes; does not return. */
    void begin() throws IOException {
        Files.writeString(NUMBER, name());
        // The box would end with the tests.
        Files.createDirectories(SUITE.getParent());
        Files.writeString(SUITE, "[Unit]\nSuccessAction=none\nFailureAction=none\n");
        Command.systemctl("daemon-reload").output();
        Command.systemctl(arrival.toArray(String[]::new)).output();
        while (true) {
            LockSupport.park();
        }
    }
}
