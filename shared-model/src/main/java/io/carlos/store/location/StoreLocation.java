package io.carlos.store.location;

import io.carlos.store.OpenedStore;
import io.carlos.store.directory.OpenedDirectory;
import io.carlos.store.s3.OpenedBucket;
import io.carlos.store.s3.S3Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a store is: a directory, or a bucket as {@code s3://BUCKET?region=REGION}. A server of one's own is named as
 * {@code s3://BUCKET?endpoint=http://HOST:PORT}; its region is {@value InBucket#ANY_REGION} and it is asked in path style unless
 * {@code region} and {@code path-style} say otherwise. {@code toString} gives a text that names the same store again.
 */
public sealed interface StoreLocation {
    /** What a text begins with that names a bucket; any other names a directory. */
    String BUCKET_SCHEME = "s3://";

    /** @param root absolute and without {@code ..} */
    record InDirectory(Path root) implements StoreLocation {
        public InDirectory {
            root = root.toAbsolutePath().normalize();
        }

        @Override
        public String toString() {
            return root.toString();
        }
    }

    /** @param settings the bucket, its region and its server */
    record InBucket(S3Settings settings) implements StoreLocation {
        static final String ANY_REGION = "us-east-1";

        @Override
        public String toString() {
            String text = BUCKET_SCHEME + settings.bucket() + "?region=" + settings.region();
            return settings.endpoint() == null
                    ? text
                    : text + "&endpoint=" + settings.endpoint() + "&path-style=" + settings.pathStyle();
        }
    }

    /**
     * Opens the store. A directory is made when it is not there; a server is not asked for anything yet.
     *
     * @throws io.carlos.store.StoreUnavailableException the directory cannot be used
     */
    default OpenedStore open() {
        // The libraries of S3 are not loaded for a directory, so nothing here may name their types.
        return switch (this) {
            case InDirectory(Path root) -> new OpenedDirectory(root);
            case InBucket(S3Settings settings) -> OpenedBucket.open(settings);
        };
    }

    /**
     * Reads a location.
     *
     * @throws IllegalArgumentException it names neither a directory nor a bucket; the message says what is wrong with it
     */
    static StoreLocation of(String text) {
        if (text.startsWith(BUCKET_SCHEME)) {
            return bucket(text);
        }
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" names no store: name a directory, or s3://BUCKET?region=REGION");
        }
        try {
            return new InDirectory(Path.of(text));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not the name of a directory", e);
        }
    }

    private static InBucket bucket(String text) {
        String rest = text.substring(BUCKET_SCHEME.length());
        int question = rest.indexOf('?');
        String bucket = question < 0 ? rest : rest.substring(0, question);
        Map<String, String> options = options(question < 0 ? "" : rest.substring(question + 1));
        @Nullable String endpoint = options.remove("endpoint");
        @Nullable String region = options.remove("region");
        @Nullable String pathStyle = options.remove("path-style");
        if (!options.isEmpty()) {
            throw new IllegalArgumentException(
                    "\"" + options.keySet().iterator().next()
                            + "\" is not an option of a bucket: expected region, endpoint or path-style");
        }
        if (region == null && endpoint == null) {
            throw new IllegalArgumentException("the bucket " + bucket + " needs its region: name it as " + BUCKET_SCHEME
                    + bucket + "?region=REGION");
        }
        S3Settings settings = S3Settings.of(bucket, region == null ? InBucket.ANY_REGION : region);
        if (endpoint == null) {
            if (pathStyle != null) {
                throw new IllegalArgumentException(
                        "path-style is for a server of one's own: name that too, as endpoint");
            }
            return new InBucket(settings);
        }
        return new InBucket(settings.at(uri(endpoint), isTrue("path-style", pathStyle, true)));
    }

    private static Map<String, String> options(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            if (equals < 0 || options.put(name, option.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(
                        "the bucket's option \"" + name + "\" is to be given once, as " + name + "=VALUE");
            }
        }
        return options;
    }

    private static boolean isTrue(String name, @Nullable String value, boolean otherwise) {
        return switch (value) {
            case null -> otherwise;
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " is \"" + value + "\", expected true or false");
        };
    }

    private static URI uri(String endpoint) {
        try {
            return new URI(endpoint);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "the endpoint is not a server's address such as http://127.0.0.1:9000", e);
        }
    }
}
