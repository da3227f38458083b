package io.carlos.cli.completion;

import io.carlos.cli.completion.Completion.Choice;
import io.carlos.cli.completion.CompletionNode.ValuedOption;
import java.util.List;
import java.util.stream.Collectors;

/** {@link LineCompletion} in zsh, which shows the descriptions too. */
final class ZshCompletion {
    private static final String SCRIPT = """
            #compdef carlos
            # Completion of carlos for zsh, made by "carlos completion zsh".

            # What may follow the command words $1: sets children and options.
            _carlos_node() {
                case "$1" in
            %s
                *) children=() options=() ;;
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
                local node='' in_name=1 awaited='' word current="${words[CURRENT]}"
                local -a children options values
                for word in "${(@)words[2,CURRENT-1]}"; do
                    if [[ -n $awaited ]]; then
                        awaited=''
                    elif [[ $word == -- ]]; then
                        _files
                        return
                    elif [[ $word == -* ]]; then
                        _carlos_values "$node" "$word" && awaited=1
                    else
                        _carlos_node "$node"
                        if [[ -n $in_name && -n ${(M)children:#${word}:*} ]]; then
                            node="${node:+$node }$word"
                        else
                            in_name=''
                        fi
                    fi
                done
                _carlos_node "$node"
                if [[ -z $awaited && $current == --*=* ]]; then
                    _carlos_values "$node" "${current%%%%=*}" || return 1
                    compset -P 1 '*='
                    awaited=1
                fi
                if [[ -n $awaited && ${values[1]} == '<file>' ]]; then
                    _files
                elif [[ -n $awaited ]]; then
                    compadd -- $values
                elif [[ $current == -* ]]; then
                    _describe -o 'option' options
                elif [[ -n $in_name ]]; then
                    _describe 'command' children
                fi
            }

            if [[ ${funcstack[1]} == _carlos ]]; then
                _carlos "$@" # loaded from $fpath, as the body of the function
            else
                compdef _carlos carlos
            fi""";

    private ZshCompletion() {}

    static String script(List<CompletionNode> nodes) {
        String table = nodes.stream().map(ZshCompletion::row).collect(Collectors.joining("\n"));
        String values = nodes.stream()
                .flatMap(node -> node.valued().stream().map(option -> row(node.name(), option)))
                .collect(Collectors.joining("\n"));
        return SCRIPT.formatted(table, values);
    }

    private static String row(CompletionNode node) {
        return "    %s)\n        children=(%s)\n        options=(%s)\n        ;;"
                .formatted(Quote.single(node.name()), described(node.children()), described(node.options()));
    }

    private static String row(String node, ValuedOption option) {
        String keys = option.names().stream()
                .map(name -> Quote.single(node + " " + name))
                .collect(Collectors.joining(" | "));
        String values = switch (option.values()) {
            case Completion.Files _ -> "'<file>'";
            case Completion.Words words ->
                words.choices().stream()
                        .map(choice -> Quote.single(choice.word()))
                        .collect(Collectors.joining(" "));
        };
        return "    %s) values=(%s) ;;".formatted(keys, values);
    }

    private static String described(List<Choice> choices) {
        return choices.stream()
                .map(choice -> Quote.single(choice.word() + ":" + choice.description()))
                .collect(Collectors.joining(" "));
    }
}
