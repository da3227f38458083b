package io.carlos.model.json;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.names.InputFileName;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.VmName;
import io.carlos.model.runs.RunId;
import java.time.Instant;
import java.util.function.Function;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** Writes names and instants as their text, and reads them back with their own check. */
final class NamesModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    NamesModule() {
        super("carlos-names");
        text(Account.class, Account::of);
        text(App.class, App::of);
        text(Host.class, Host::of);
        text(Incarnation.class, Incarnation::of);
        text(InputFileName.class, InputFileName::of);
        text(InstanceId.class, InstanceId::of);
        text(InvocationId.class, InvocationId::of);
        text(RunId.class, RunId::of);
        text(VmName.class, VmName::of);
        text(Instant.class, Instant::parse);
    }

    private <T> void text(Class<T> type, Function<String, T> read) {
        addSerializer(type, new ToStringSerializer(type));
        addDeserializer(type, new TextDeserializer<>(type, read));
    }

    private static final class TextDeserializer<T> extends StdScalarDeserializer<T> {
        private final transient Function<String, T> read;

        TextDeserializer(Class<T> type, Function<String, T> read) {
            super(type);
            this.read = read;
        }

        @Override
        @SuppressWarnings("unchecked")
        public T deserialize(JsonParser in, DeserializationContext context) {
            if (in.currentToken() != JsonToken.VALUE_STRING) {
                return (T) context.handleUnexpectedToken(_valueClass, in);
            }
            try {
                return read.apply(in.getString());
            } catch (RuntimeException e) {
                throw context.instantiationException(_valueClass, e);
            }
        }
    }
}
