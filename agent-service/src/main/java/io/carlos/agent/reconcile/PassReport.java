package io.carlos.agent.reconcile;

import java.time.Duration;

/**
 * What one pass did.
 *
 * @param listed records in the listing
 * @param read records that had changed and so were read
 * @param unreadable records that were left out because they could not be read
 * @param claimed records that this box took as its own
 */
public record PassReport(int listed, int read, int unreadable, int claimed, Duration took) {}
