package io.carlos.agent.control.http;

import java.util.concurrent.CountDownLatch;

/** Answers that a service gives by itself. */
final class ScriptedAnswers {
    private ScriptedAnswers() {}

    static String never(String request) throws InterruptedException {
        new CountDownLatch(1).await();
        return "";
    }
}
