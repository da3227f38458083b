package io.carlos.model.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import io.carlos.model.text.Utf8;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * JSON as every service writes and reads it: {@code snake_case} members in the order of declaration, names and RFC 3339
 * UTC instants as text, enums as their {@code toString()}. Unknown members are ignored when reading; a member given twice,
 * a missing or null one whose type is not nullable, a value of another kind and text after the document are refused.
 */
public final class CarlosJson {
    /** A longer document is refused unread. */
    public static final int MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

    private static final int MAX_DEPTH = 32;
    private static final int MAX_TEXT_LENGTH = 1024 * 1024;
    private static final int MAX_NAME_LENGTH = 256;
    private static final int MAX_NUMBER_LENGTH = 64;

    private static final JsonMapper MAPPER = configure();

    private CarlosJson() {}

    /** The mapper itself, for whoever carries JSON over HTTP. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    public static byte[] write(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    /**
     * @param document what messages call the document, such as its key
     * @throws InvalidDocumentException when the document is no such value
     */
    public static <T> T read(String document, byte[] bytes, Class<T> type) {
        return bind(document, parse(document, bytes), type);
    }

    /**
     * Reads a document that carries its {@code schema} number.
     *
     * @param document what messages call the document, such as its key
     * @param schema the only number that is read
     * @throws UnsupportedSchemaException when the document has another number, whatever else it holds
     * @throws InvalidDocumentException when the document is no such value
     */
    public static <T> T read(String document, byte[] bytes, Class<T> type, int schema) {
        JsonNode root = parse(document, bytes);
        JsonNode found = root.path("schema");
        if (!found.isIntegralNumber() || !found.canConvertToLong()) {
            throw new InvalidDocumentException(document, "expected a member schema with the number " + schema);
        }
        if (found.longValue() != schema) {
            throw new UnsupportedSchemaException(document, found.longValue(), schema);
        }
        return bind(document, root, type);
    }

    private static JsonNode parse(String document, byte[] bytes) {
        if (bytes.length > MAX_DOCUMENT_BYTES) {
            throw new InvalidDocumentException(
                    document, "it has " + bytes.length + " bytes, over the " + MAX_DOCUMENT_BYTES + " allowed");
        }
        // Decoded here, since Jackson would also take UTF-16 and some malformed UTF-8.
        String text = Utf8.decode(bytes);
        if (text == null) {
            throw new InvalidDocumentException(document, "it is not well-formed UTF-8");
        }
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw refusal(document, e);
        }
    }

    private static <T> T bind(String document, JsonNode root, Class<T> type) {
        try {
            T value = MAPPER.treeToValue(root, type);
            if (value == null) {
                throw new InvalidDocumentException(document, "expected an object, not null");
            }
            return value;
        } catch (JacksonException e) {
            throw refusal(document, e);
        }
    }

    private static InvalidDocumentException refusal(String document, JacksonException e) {
        String path = e.getPath().isEmpty() ? "" : e.getPathReference() + ": ";
        return new InvalidDocumentException(document, path + e.getOriginalMessage(), e);
    }

    private static JsonMapper configure() {
        StreamReadConstraints limits = StreamReadConstraints.builder()
                .maxDocumentLength(MAX_DOCUMENT_BYTES)
                .maxNestingDepth(MAX_DEPTH)
                .maxStringLength(MAX_TEXT_LENGTH)
                .maxNameLength(MAX_NAME_LENGTH)
                .maxNumberLength(MAX_NUMBER_LENGTH)
                .build();
        JsonFactory factory =
                JsonFactory.builder().streamReadConstraints(limits).build();
        return JsonMapper.builder(factory)
                // Members are the components of records; a record's isX() is a question and no member.
                .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(Visibility.NONE))
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY, MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfig(
                        LogicalType.Textual,
                        coercion -> coercion.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .enable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.WRITE_ENUMS_USING_TO_STRING)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .annotationIntrospector(
                        AnnotationIntrospector.pair(new JacksonAnnotationIntrospector(), new NullMarkedIntrospector()))
                .addModule(new NamesModule())
                .build();
    }
}
