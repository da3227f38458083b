package io.carlos.deploy.inside;

import io.carlos.deploy.box.BoxReport;
import io.carlos.deploy.box.BoxReport.Line;
import io.carlos.deploy.box.BoxReport.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Writes a line for every test that ends, and for whatever stood above tests and failed. */
final class ReportWriter implements TestExecutionListener {
    private static final int MAX_DETAIL = 4_000;

    private final Path directory;
    private final Map<String, Long> started = new ConcurrentHashMap<>();
    private TestPlan plan;

    ReportWriter(Path directory) {
        this.directory = directory;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        started.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write(test, Verdict.SKIPPED, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    write(test, Verdict.PASSED, "");
                }
            }
            case ABORTED -> write(test, Verdict.SKIPPED, message(result));
            case FAILED -> write(test, Verdict.FAILED, trace(result));
        }
    }

    private void write(TestIdentifier test, Verdict verdict, String detail) {
        long start = started.getOrDefault(test.getUniqueId(), System.nanoTime());
        int millis = (int) Duration.ofNanos(System.nanoTime() - start).toMillis();
        Line line = new Line(name(test), verdict, millis, detail.substring(0, Math.min(detail.length(), MAX_DETAIL)));
        System.out.println("test: " + line.test() + ": " + verdict + " after " + millis + " ms"
                + (detail.isEmpty() ? "" : ": " + detail.lines().findFirst().orElse("")));
        try {
            BoxReport.append(directory, line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class, the method and what it was called with. */
    private String name(TestIdentifier test) {
        String name = test.getDisplayName();
        Optional<TestIdentifier> at = Optional.of(test);
        while (at.isPresent() && !(at.get().getSource().orElse(null) instanceof ClassSource)) {
            at = plan.getParent(at.get());
            if (at.isPresent()) {
                name = at.get().getDisplayName() + ": " + name;
            }
        }
        return name;
    }

    private static String message(TestExecutionResult result) {
        return result.getThrowable().map(Throwable::getMessage).orElse("");
    }

    private static String trace(TestExecutionResult result) {
        StringWriter trace = new StringWriter();
        result.getThrowable().ifPresent(failure -> failure.printStackTrace(new PrintWriter(trace)));
        return trace.toString();
    }
}
