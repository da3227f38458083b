package io.carlos.guest.namespace.teavm;

import io.carlos.guest.namespace.JvmPrograms;
import io.carlos.guest.namespace.NamespaceProgram;
import java.nio.charset.StandardCharsets;
import org.teavm.interop.Address;

/** The entry point of the compiled program. */
public final class NativeMain {
    private NativeMain() {}

    public static void main(String[] arguments) {
        JvmPrograms programs = new JvmPrograms(text(Libc.commandLineProgram()), text(Libc.controlProgram()));
        int status = new NamespaceProgram(new NativeSyscalls(), System::currentTimeMillis, programs).run(arguments);
        // Not by returning, which would start an event loop.
        Libc.exit(status);
    }

    private static String text(Address address) {
        return new String(NativeMemory.bytes(address), StandardCharsets.UTF_8);
    }
}
