package io.carlos.agent.logs;

/** Where the bytes of one connection go. All calls come from one thread, one after the other. */
@FunctionalInterface
public interface StreamSink {
    /**
     * Takes over {@code length} bytes; the array may be used again afterwards. May block for as long as it likes: nothing
     * more is read meanwhile, so that the socket fills and the writer waits.
     *
     * @throws InterruptedException nothing more will be taken; the writer gets {@code EPIPE} from now on
     */
    void write(byte[] bytes, int offset, int length) throws InterruptedException;

    /** Nothing more comes of this connection; called once, whichever way it ended. */
    default void end() throws InterruptedException {}
}
