package io.carlos.agent.service;

import io.carlos.model.records.InstanceRecord;

/** Takes each record that a pass has noted, on a thread of its own. */
@FunctionalInterface
interface NotedRunHandler {
    void act(InstanceRecord record);
}
