package io.carlos.samples;

import io.carlos.cli.command.CommandGroup;
import org.springframework.context.annotation.Lazy;
import org.springframework.shell.core.command.annotation.Command;

/** Groups of commands that stand outside of the package in which carlos looks for its own. */
public final class SampleGroups {
    private SampleGroups() {}

    @CommandGroup
    @Lazy
    public static final class Uncreatable {
        public Uncreatable() {
            throw new IllegalStateException("created");
        }

        @Command(name = "never", description = "Cannot be executed")
        void never() {}
    }

    @CommandGroup
    public static final class One {
        @Command(name = "same", description = "Do one thing")
        void same() {}
    }

    @CommandGroup
    public static final class Another {
        @Command(name = "same", description = "Do another thing")
        void same() {}
    }
}
