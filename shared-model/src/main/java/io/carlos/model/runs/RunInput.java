package io.carlos.model.runs;

import io.carlos.model.names.InputFileName;
import java.io.IOException;

/** An input file on the side of whoever asks for the run. It is read twice: to hash it, and to upload it. */
public interface RunInput {
    InputFileName name();

    /**
     * The whole content.
     *
     * @throws InvalidRunException it is over {@link RunRequest#MAX_FILE_BYTES}, found out without reading it all
     */
    byte[] read() throws IOException;
}
