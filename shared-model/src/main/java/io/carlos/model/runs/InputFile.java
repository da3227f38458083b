package io.carlos.model.runs;

import io.carlos.model.names.InputFileName;

/**
 * One input file of a run, as the request names it.
 *
 * @param size bytes, at most {@link RunRequest#MAX_FILE_BYTES}
 * @param sha256 64 lower-case hex digits
 */
public record InputFile(InputFileName name, long size, String sha256) {}
