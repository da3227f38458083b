package io.carlos.cli.argv;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.Seeds;
import io.carlos.cli.command.CommandTree;
import io.carlos.cli.command.GeneratedCommands;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.shell.core.command.Command;
import org.springframework.shell.core.command.CommandArgument;
import org.springframework.shell.core.command.CommandOption;

/** Invocations made at random, written down in a random one of the ways there are, must be read back as they were. */
class ArgvParserPropertyTest {
    private static final int ROUNDS = 3000;
    private static final List<String> NASTY_WORDS = List.of(
            "",
            " ",
            "a b",
            "\"",
            "'",
            "\\",
            "$(x)",
            "*",
            "-",
            "--",
            "--help",
            "-h",
            "--verbose",
            "--nope=1",
            "=",
            "a=b",
            "\n",
            "ä€",
            "@file");

    private record GivenOption(CommandOption option, String value) {}

    @Test
    void whatIsWrittenIsReadBack() {
        Seeds.forEach(ROUNDS, random -> {
            GeneratedCommands commands = new GeneratedCommands(random);
            Command command = commands.any();
            List<GivenOption> options = options(command, random);
            List<String> plain = someWords(random).stream()
                    .filter(word -> !word.startsWith("-") || word.equals("-"))
                    .toList();
            List<String> afterDashes = someWords(random);

            List<String> argv = write(command, options, plain, afterDashes, random);

            Invocation.Execute read = (Invocation.Execute) parse(commands, argv);
            assertThat(read.command()).as("%s", argv).isEqualTo(command);
            assertThat(read.input().options().stream().map(option -> option.longName() + "=" + option.value()))
                    .as("%s", argv)
                    .containsExactlyElementsOf(options.stream()
                            .map(given -> given.option().longName() + "=" + given.value())
                            .toList());
            assertThat(read.input().arguments().stream().map(CommandArgument::value))
                    .as("%s", argv)
                    .containsExactlyElementsOf(
                            Stream.concat(plain.stream(), afterDashes.stream()).toList());
        });
    }

    @Test
    void anyWordsAtAllAreReadOrRefusedAsUsage() {
        Seeds.forEach(ROUNDS, random -> {
            GeneratedCommands commands = new GeneratedCommands(random);
            List<String> argv = new ArrayList<>(someWords(random));
            argv.addAll(List.of(commands.any().getName().split(" ")));
            commands.any().getOptions().forEach(option -> argv.add("--" + option.longName()));
            Collections.shuffle(argv, random);
            try {
                assertThat(parse(commands, argv)).isNotNull();
            } catch (CliException e) {
                assertThat(e.exit()).as("%s", argv).isEqualTo(CliExit.USAGE);
            }
        });
    }

    private static Invocation parse(GeneratedCommands commands, List<String> argv) {
        return new ArgvParser(new CommandTree(commands.registry())).parse(argv);
    }

    private static List<GivenOption> options(Command command, Random random) {
        List<GivenOption> given = new ArrayList<>();
        for (CommandOption option : command.getOptions()) {
            for (int times = random.nextInt(3); times > 0; times--) {
                given.add(
                        new GivenOption(option, GeneratedCommands.isFlag(option) ? "true" : pick(NASTY_WORDS, random)));
            }
        }
        Collections.shuffle(given, random);
        return given;
    }

    private static List<String> write(
            Command command, List<GivenOption> options, List<String> plain, List<String> afterDashes, Random random) {
        List<String> argv = new ArrayList<>(List.of(command.getName().split(" ")));
        int optionsWritten = 0;
        int plainWritten = 0;
        while (optionsWritten + plainWritten < options.size() + plain.size()) {
            boolean option = plainWritten == plain.size() || (optionsWritten < options.size() && random.nextBoolean());
            if (option) {
                argv.addAll(write(options.get(optionsWritten++), random));
            } else {
                argv.add(plain.get(plainWritten++));
            }
        }
        if (!afterDashes.isEmpty() || random.nextBoolean()) {
            argv.add("--");
            argv.addAll(afterDashes);
        }
        return argv;
    }

    private static List<String> write(GivenOption given, Random random) {
        String longName = "--" + given.option().longName();
        boolean hasShortName = given.option().shortName() != ' ';
        if (GeneratedCommands.isFlag(given.option())) {
            return List.of(
                    hasShortName && random.nextBoolean() ? "-" + given.option().shortName() : longName);
        }
        boolean attached = given.value().startsWith("-") || random.nextBoolean();
        String name =
                hasShortName && random.nextBoolean() ? "-" + given.option().shortName() : longName;
        return attached ? List.of(name + "=" + given.value()) : List.of(name, given.value());
    }

    private static List<String> someWords(Random random) {
        return random.ints(random.nextInt(5), 0, NASTY_WORDS.size())
                .mapToObj(NASTY_WORDS::get)
                .toList();
    }

    private static <T> T pick(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }
}
