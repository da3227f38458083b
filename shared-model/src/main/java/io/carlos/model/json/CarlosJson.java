package io.carlos.model.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

public final class CarlosJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            // Members are the components of records; a record's isX() is a question, not a member.
            .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(Visibility.NONE))
            .enumNamingStrategy(EnumNamingStrategies.LOWER_CASE)
            .addModule(new NamesModule())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private CarlosJson() {}

    public static JsonMapper mapper() {
        return MAPPER;
    }

    public static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    public static <T> T read(byte[] json, Class<T> type, int schema) {
        JsonNode tree = MAPPER.readTree(json);
        int found = tree.path("schema").asInt(0);
        if (found != schema) {
            throw new UnsupportedSchemaException(type.getSimpleName(), found, schema);
        }
        return MAPPER.treeToValue(tree, type);
    }
}
