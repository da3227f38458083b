package io.carlos.cli.completion;

import io.carlos.cli.completion.Completion.Choice;
import io.carlos.cli.completion.CompletionNode.ValuedOption;
import java.util.List;
import java.util.stream.Collectors;

/** {@link LineCompletion} in bash: two tables and the walk over the words, all of it inside the user's shell, which must not wait for a JVM. */
final class BashCompletion {
    private static final String SCRIPT = """
            # Completion of carlos for bash, made by "carlos completion bash".

            # What may follow the command words $1: sets children and options.
            _carlos_node() {
                case "$1" in
            %s
                *) children='' options='' ;;
                esac
            }

            # What may follow option $2 of the command words $1: sets values, to "<file>" for names of files; fails when nothing must.
            _carlos_values() {
                case "$1 $2" in
            %s
                *) return 1 ;;
                esac
            }

            _carlos() {
                local current="${COMP_WORDS[COMP_CWORD]}" node='' in_name=1 awaited='' values='' word previous='' i
                local children options IFS=$' \\t\\n'
                COMPREPLY=()
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word="${COMP_WORDS[i]}"
                    if [[ $word == '=' && $previous == --* ]]; then
                        awaited=1 # bash makes three words of --option=value
                    elif [[ -n $awaited ]]; then
                        awaited=''
                    elif [[ $word == -- ]]; then
                        _carlos_files "$current"
                        return
                    elif [[ $word == -* ]]; then
                        values=''
                        _carlos_values "$node" "$word" && awaited=1
                    else
                        _carlos_node "$node"
                        if [[ -n $in_name && " $children " == *" $word "* ]]; then
                            node="${node:+$node }$word"
                        else
                            in_name=''
                        fi
                    fi
                    previous="$word"
                done
                if [[ $current == '=' && $previous == --* ]]; then
                    awaited=1 current=''
                fi
                if [[ -n $awaited && $values == '<file>' ]]; then
                    _carlos_files "$current"
                    return
                fi
                _carlos_node "$node"
                if [[ -n $awaited ]]; then
                    COMPREPLY=($(compgen -W "$values" -- "$current"))
                elif [[ $current == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$current"))
                elif [[ -n $in_name ]]; then
                    COMPREPLY=($(compgen -W "$children" -- "$current"))
                fi
            }

            _carlos_files() {
                local IFS=$'\\n'
                COMPREPLY=($(compgen -f -- "$1"))
                compopt -o filenames 2>/dev/null # fails outside of a completion, where nothing needs quoting
            }

            complete -F _carlos carlos""";

    private BashCompletion() {}

    static String script(List<CompletionNode> nodes) {
        String table = nodes.stream().map(BashCompletion::row).collect(Collectors.joining("\n"));
        String values = nodes.stream()
                .flatMap(node -> node.valued().stream().map(option -> row(node.name(), option)))
                .collect(Collectors.joining("\n"));
        return SCRIPT.formatted(table, values);
    }

    private static String row(CompletionNode node) {
        return "    %s) children=%s options=%s ;;"
                .formatted(Quote.single(node.name()), words(node.children()), words(node.options()));
    }

    private static String row(String node, ValuedOption option) {
        String keys = option.names().stream()
                .map(name -> Quote.single(node + " " + name))
                .collect(Collectors.joining(" | "));
        String values = switch (option.values()) {
            case Completion.Files _ -> "'<file>'";
            case Completion.Words words -> words(words.choices());
        };
        return "    %s) values=%s ;;".formatted(keys, values);
    }

    private static String words(List<Choice> choices) {
        return Quote.single(choices.stream().map(Choice::word).collect(Collectors.joining(" ")));
    }
}
