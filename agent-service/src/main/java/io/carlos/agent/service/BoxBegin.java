package io.carlos.agent.service;

/** What begins once the box is cleared of whatever an earlier agent left. */
@FunctionalInterface
interface BoxBegin {
    void begin();
}
