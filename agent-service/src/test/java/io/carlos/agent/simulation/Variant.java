package io.carlos.agent.simulation;

/** The code as it is, and ways in which it could be wrong, each of which the simulation must notice. */
enum Variant {
    AS_IT_IS
}
