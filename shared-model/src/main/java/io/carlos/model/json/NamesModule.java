package io.carlos.model.json;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.names.InputFileName;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.runs.RunId;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** Writes names as plain strings and checks them when reading, so that the names themselves need no annotations. */
final class NamesModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    NamesModule() {
        super("carlos-names");
        name(Account.class, Account::new);
        name(App.class, App::new);
        name(Host.class, Host::new);
        name(Incarnation.class, Incarnation::new);
        name(InputFileName.class, InputFileName::new);
        name(RunId.class, RunId::new);
    }

    private <T> void name(Class<T> type, Function<String, T> parse) {
        addSerializer(type, ToStringSerializer.instance);
        addDeserializer(type, new NameDeserializer<>(type, parse));
    }

    private static final class NameDeserializer<T> extends StdDeserializer<T> {
        private final transient Function<String, T> parse;

        NameDeserializer(Class<T> type, Function<String, T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) throws JacksonException {
            String text = parser.getValueAsString("");
            try {
                return parse.apply(text);
            } catch (InvalidNameException e) {
                throw InvalidFormatException.from(parser, e.getMessage(), text, handledType());
            }
        }
    }
}
