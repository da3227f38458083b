package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Syscalls;
import java.util.List;

/** Fields of {@code /proc/self/status} have the one value that they must have. */
final class ProcessStatusCheck implements ProbeCheck {
    private final Syscalls calls;
    private final String name;
    private final String expected;
    private final List<String> fields;

    private ProcessStatusCheck(Syscalls calls, String name, String expected, List<String> fields) {
        this.calls = calls;
        this.name = name;
        this.expected = expected;
        this.fields = fields;
    }

    /** No capability is left in any set. */
    static ProcessStatusCheck capabilities(Syscalls calls) {
        return new ProcessStatusCheck(
                calls, "capabilities", "0000000000000000", List.of("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"));
    }

    /** No program gains rights by being executed. */
    static ProcessStatusCheck noNewPrivileges(Syscalls calls) {
        return new ProcessStatusCheck(calls, "no-new-privileges", "1", List.of("NoNewPrivs"));
    }

    /** System calls are filtered. */
    static ProcessStatusCheck systemCallFilter(Syscalls calls) {
        return new ProcessStatusCheck(calls, "seccomp", "2", List.of("Seccomp"));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Finding check() {
        List<String> lines = Lines.of(calls, "/proc/self/status");
        for (String field : fields) {
            String value = Lines.find(lines, field + ":");
            if (!expected.equals(value)) {
                return Finding.fail(field + " is " + value + ", expected " + expected);
            }
        }
        return Finding.ok(fields.get(fields.size() - 1) + " is " + expected);
    }
}
