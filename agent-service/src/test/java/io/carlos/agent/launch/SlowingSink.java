package io.carlos.agent.launch;

/** Holds every caller until it is hurried, as one does that slows a command down; it records at once. */
public final class SlowingSink extends StalledSink {
    @Override
    public void hurry() {
        open();
    }
}
