package io.carlos.guest.namespace;

import io.carlos.guest.namespace.calls.CallFailedException;
import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.FileCalls;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.guest.namespace.exitrecord.ExitRecordWriter;
import io.carlos.guest.namespace.probe.Probe;
import io.carlos.guest.namespace.start.CommandStart;
import io.carlos.guest.namespace.trampoline.Trampoline;
import io.carlos.model.text.CString;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What {@code carlos} does for each first argument. The verbs of units are its own; for any other it becomes the command
 * line's JVM, so that operators have one program to type.
 */
public final class NamespaceProgram {
    private static final int USAGE = 125;
    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_THERE = 127;
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int MAX_ARGUMENT_BYTES = 8 * 1024 * 1024;

    private final Syscalls calls;
    private final LongSupplier clock;
    private final JvmPrograms programs;

    /** @param clock milliseconds since 1970 */
    public NamespaceProgram(Syscalls calls, LongSupplier clock, JvmPrograms programs) {
        this.calls = calls;
        this.clock = clock;
        this.programs = programs;
    }

    /**
     * Does what the arguments say.
     *
     * @return the status to exit with
     */
    public int run(String[] arguments) {
        String verb = arguments.length == 0 ? "" : arguments[0];
        return switch (verb) {
            case "instance-exec" ->
                arguments.length == 3
                        ? new Trampoline(calls, clock, line -> complain(verb, line)).run(arguments[1], arguments[2])
                        : usage(verb + " <role> <instance>");
            case "instance-exit" -> writeExitRecord(verb, arguments);
            case "instance-probe" -> arguments.length == 1 ? probe() : usage(verb);
            case "guest-exec" -> startCommand(verb, arguments);
            case "instance-control" -> become(programs.control(), 2);
            default -> become(programs.commandLine(), 1);
        };
    }

    /** Succeeds whatever happens, since its failure would be the unit's. */
    private int writeExitRecord(String verb, String[] arguments) {
        if (arguments.length == 3) {
            new ExitRecordWriter(calls, clock, line -> complain(verb, line)).write(arguments[1], arguments[2]);
        } else {
            usage(verb + " <role> <instance>");
        }
        return 0;
    }

    private int probe() {
        print(STDOUT, Probe.of(calls).run().toJson());
        return 0;
    }

    /** Becomes the command; when it cannot, the supervisor that asked for it knows why. */
    private int startCommand(String verb, String[] arguments) {
        // One more word, which whoever started it finds it by.
        if (arguments.length > 2) {
            return usage(verb + " [<mark>]");
        }
        if (!new CommandStart(calls).run()) {
            complain(verb, "for a guest's supervisor, which hands the command over as descriptor 3");
        }
        return USAGE;
    }

    /** Becomes a program that takes this one's arguments, byte by byte, from the given one on. */
    private int become(String program, int firstArgument) {
        try {
            List<byte[]> own = ownArguments();
            List<byte[]> argv = new ArrayList<>();
            argv.add(CString.bytes(program));
            for (int i = firstArgument; i < own.size(); i++) {
                argv.add(own.get(i));
            }
            calls.unblockSignals();
            int result = calls.execute(argv.toArray(new byte[0][]), calls.environment());
            throw new CallFailedException(calls, "execute " + program, result);
        } catch (CallFailedException e) {
            print(STDERR, "carlos: " + e.getMessage());
            return e.errno() == Errno.ENOENT ? NOT_THERE : NOT_EXECUTABLE;
        }
    }

    /** From the kernel: the arguments that the compiler's runtime hands over went through the C locale. */
    private List<byte[]> ownArguments() {
        byte[] all = new Files(calls)
                .read(
                        FileCalls.WORKING_DIRECTORY,
                        "/proc/self/cmdline",
                        OpenMode.READ_THROUGH_LINKS,
                        MAX_ARGUMENT_BYTES);
        List<byte[]> arguments = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == 0) {
                byte[] argument = new byte[i - start];
                System.arraycopy(all, start, argument, 0, argument.length);
                arguments.add(argument);
                start = i + 1;
            }
        }
        return arguments;
    }

    private int usage(String arguments) {
        print(STDERR, "carlos: expected: carlos " + arguments);
        return USAGE;
    }

    private void complain(String verb, String line) {
        print(STDERR, "carlos: " + verb + ": " + line);
    }

    /** Whoever reads may have gone; then there is nobody to tell. */
    private void print(int descriptor, String line) {
        byte[] bytes = CString.bytes(line + "\n");
        int written = 0;
        while (written < bytes.length) {
            int count = calls.write(descriptor, bytes, written, bytes.length - written);
            if (count < 0 && count != -Errno.EINTR) {
                return;
            }
            written += Math.max(count, 0);
        }
    }
}
