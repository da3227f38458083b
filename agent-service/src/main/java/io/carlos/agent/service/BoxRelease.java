package io.carlos.agent.service;

/** Gives up what a box holds of the store, when its agent acts on nothing any more. */
@FunctionalInterface
interface BoxRelease {
    void release() throws InterruptedException;
}
