package io.carlos.agent.runs;

import io.carlos.model.runs.OutputChannel;

/**
 * A stretch of one stream's bytes, ready to be stored.
 *
 * @param seq its place among the chunks of both streams, from 1
 */
record Chunk(long seq, OutputChannel channel, byte[] bytes) {}
