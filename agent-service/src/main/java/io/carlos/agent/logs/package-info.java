/** What units print: the sockets that systemd connects their output to, and where the bytes go from there. */
@NullMarked
package io.carlos.agent.logs;

import org.jspecify.annotations.NullMarked;
