package io.carlos.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.StringUtils;

/** The text of {@code carlos COMMAND --help}. */
final class CommandHelp {
    private CommandHelp() {}

    /** @param explanation paragraphs below the usage line; may be empty */
    static String of(AnnotatedCommand command, String explanation) {
        List<String> sections = new ArrayList<>();
        sections.add("carlos " + command.getName() + ": " + command.getDescription());
        sections.add("Usage: carlos "
                + Stream.concat(Stream.of(command.getName()), command.usage()).collect(Collectors.joining(" ")));
        if (!explanation.isBlank()) {
            sections.add(explanation.strip());
        }
        List<HelpLine> arguments = command.arguments().map(CommandHelp::line).toList();
        if (!arguments.isEmpty()) {
            sections.add("Arguments:\n" + HelpLine.render(arguments));
        }
        sections.add("Options:\n"
                + HelpLine.render(Stream.concat(command.options().map(CommandHelp::line), HelpLine.EVERYWHERE.stream())
                        .toList()));
        return String.join("\n\n", sections);
    }

    private static HelpLine line(ArgumentBinding argument) {
        String fallback = argument.defaultValue().isEmpty() ? "" : " (default: " + argument.defaultValue() + ")";
        return new HelpLine(argument.name(), argument.description() + fallback);
    }

    private static HelpLine line(OptionBinding option) {
        char shortName = option.option().shortName();
        String notes = Stream.of(
                        Boolean.TRUE.equals(option.option().required()) ? "required" : "",
                        option.repeats() ? "may be repeated" : "",
                        option.defaultValue().map(value -> "default: " + value).orElse(""))
                .filter(StringUtils::hasLength)
                .collect(Collectors.joining(", "));
        return new HelpLine(
                (shortName == ' ' ? "    " : "-" + shortName + ", ") + option.written(),
                option.option().description() + (notes.isEmpty() ? "" : " (" + notes + ")"));
    }
}
