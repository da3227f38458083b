package io.carlos.model.linux;

/** The machine as a whole; only root may do this to it. */
public final class Machine {
    private static final int RB_POWER_OFF = 0x4321fedc;

    private Machine() {}

    /** Writes out what file systems hold back, and switches the machine off. Nobody is asked to end before. */
    public static void powerOff() throws LinuxException {
        Libc.sync();
        Libc.check("reboot", "power off", () -> Libc.reboot(RB_POWER_OFF));
    }
}
