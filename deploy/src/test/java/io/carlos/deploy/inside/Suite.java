package io.carlos.deploy.inside;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import io.carlos.deploy.box.BoxReport;
import io.carlos.deploy.box.BoxReport.Line;
import io.carlos.deploy.box.BoxReport.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the tests of this package in a box, as root, and reports into a directory. */
public final class Suite {
    private static final String TESTS_VARIABLE = "CARLOS_BOX_TESTS";

    private Suite() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        String tests = System.getenv().getOrDefault(TESTS_VARIABLE, "");
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage(Suite.class.getPackageName()))
                .configurationParameter(
                        ClassOrderer.DEFAULT_ORDER_PROPERTY_NAME, ClassOrderer.OrderAnnotation.class.getName())
                .filters(includeClassNamePatterns(".*InBox"), includeClassNamePatterns(".*(" + tests + ").*"))
                .build();
        try {
            LauncherFactory.create().execute(request, new ReportWriter(directory));
            BoxReport.append(directory, new Line("", Verdict.COMPLETE, 0, ""));
        } finally {
            Command.of("journalctl", "--boot", "--no-pager", "--output=short-monotonic")
                    .into(directory.resolve("journal.txt"));
        }
    }
}
