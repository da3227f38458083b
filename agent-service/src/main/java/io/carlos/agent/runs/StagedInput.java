package io.carlos.agent.runs;

import io.carlos.model.runs.InputFile;

/**
 * An input file to be staged.
 *
 * @param file what the request says of it, which the content is checked against
 */
public record StagedInput(InputFile file, Content content) {
    /** Where the content comes from; asked when it is this file's turn, so that one file at a time is in memory. */
    @FunctionalInterface
    public interface Content {
        /**
         * @throws StagingRefusedException it is not there, and will not be
         * @throws io.carlos.store.StoreException it could not be fetched this time
         */
        byte[] fetch() throws StagingRefusedException;
    }
}
