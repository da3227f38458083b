package io.carlos.agent.control.http;

/**
 * What shares connections. The control service reads from 64 at most and has others wait, whatever they ask for; so the
 * slow verbs leave room for those that nothing may hold up.
 */
enum Lane {
    /** Verbs that wait for a command, up to half a minute each. */
    POLLS(36),
    /** Verbs that start something. */
    STARTS(10),
    /** Verbs that end something; each may take a minute. */
    STOPS(14),
    /** What is answered at once and changes nothing. */
    LOOKS(3);

    private final int connections;

    Lane(int connections) {
        this.connections = connections;
    }

    /** How many of its requests are under way at most; the further ones wait their turn. */
    int connections() {
        return connections;
    }

    static int allConnections() {
        int all = 0;
        for (Lane lane : values()) {
            all += lane.connections;
        }
        return all;
    }
}
