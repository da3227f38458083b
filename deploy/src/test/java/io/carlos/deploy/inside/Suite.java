package io.carlos.deploy.inside;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import io.carlos.deploy.box.BoxReport;
import io.carlos.deploy.box.BoxReport.Line;
import io.carlos.deploy.box.BoxReport.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of this package in a box, as root, and reports into a directory. Started again after each {@link Boot}, it
 * goes on with the tests of that; boots without tests are left out.
 */
public final class Suite {
    private static final String TESTS_VARIABLE = "CARLOS_BOX_TESTS";

    private Suite() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        Launcher launcher = LauncherFactory.create();
        List<Boot> boots = Boot.left()
                .filter(boot -> launcher.discover(request(boot)).containsTests())
                .toList();
        try {
            if (!boots.isEmpty()) {
                launcher.execute(request(boots.getFirst()), new ReportWriter(directory));
            }
        } finally {
            Command.of("journalctl", "--no-pager", "--output=short-monotonic").into(directory.resolve("journal.txt"));
        }
        if (boots.size() > 1) {
            boots.get(1).begin();
        }
        BoxReport.append(directory, new Line("", Verdict.COMPLETE, 0, ""));
    }

    private static LauncherDiscoveryRequest request(Boot boot) {
        String tests = System.getenv().getOrDefault(TESTS_VARIABLE, "");
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage(Suite.class.getPackageName()))
                .configurationParameter(
                        ClassOrderer.DEFAULT_ORDER_PROPERTY_NAME, ClassOrderer.OrderAnnotation.class.getName())
                .filters(includeClassNamePatterns(".*InBox"), includeClassNamePatterns(".*(" + tests + ").*"))
                .filters(boot.tests())
                .build();
    }
}
