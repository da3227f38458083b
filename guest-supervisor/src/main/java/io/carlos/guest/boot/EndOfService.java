package io.carlos.guest.boot;

import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.Machine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is left to do when every command has ended. */
public enum EndOfService {
    /** The supervisor is one process among others. */
    PROCESS {
        @Override
        public void end() {
            System.exit(0);
        }
    },

    /** The supervisor is process 1, and its end would be a panic: the machine is switched off. */
    MACHINE {
        @Override
        public void end() {
            try {
                Machine.powerOff();
            } catch (LinuxException e) {
                log.error("stop: the machine cannot be switched off; its kernel will panic", e);
                Runtime.getRuntime().halt(1);
            }
        }
    };

    private static final Logger log = LoggerFactory.getLogger(EndOfService.class);

    /** Does not return, or not for long. */
    public abstract void end();
}
