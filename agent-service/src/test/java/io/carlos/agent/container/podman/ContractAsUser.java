package io.carlos.agent.container.podman;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the contract in a JVM of its own, which another user than the build's has; ends with 0 when every row succeeded. */
final class ContractAsUser {
    private ContractAsUser() {}

    public static void main(String[] arguments) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(PodmanContractIT.class))
                                .build(),
                        listener);
        TestExecutionSummary summary = listener.getSummary();
        PrintWriter out = new PrintWriter(System.out, true);
        summary.printTo(out);
        summary.printFailuresTo(out, 12);
        boolean whole = summary.getTestsSucceededCount() > 0
                && summary.getTestsSucceededCount() == summary.getTestsFoundCount()
                && summary.getTotalFailureCount() == 0;
        System.exit(whole ? 0 : 1);
    }
}
