package io.carlos.store.s3;

import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which bucket to use and how to reach it. Credentials are not in here.
 *
 * @param bucket 3 to 63 of {@code [a-z0-9.-]}, as S3 names buckets
 * @param region where the bucket is; a server of one's own usually takes any, such as {@code us-east-1}
 * @param endpoint the server, as {@code http[s]://host[:port]}; null means AWS in that region
 * @param pathStyle whether the bucket is named in the path instead of in the host name
 * @param connectTimeout how long a connection may take to come about, and how long to wait for a free one of the pool
 * @param responseTimeout how long the server may be silent during a call
 * @param callTimeout how long a call may take in all
 * @param maxConnections how many calls may be under way at once; more wait for {@code connectTimeout}
 */
public record S3Settings(
        String bucket,
        String region,
        @Nullable URI endpoint,
        boolean pathStyle,
        Duration connectTimeout,
        Duration responseTimeout,
        Duration callTimeout,
        int maxConnections) {
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern REGION = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    /** @throws IllegalArgumentException a value is out of its bounds; the message names it and says what was expected */
    public S3Settings {
        check(BUCKET.matcher(bucket).matches(), "bucket", bucket, "3 to 63 of a-z, 0-9, '.' and '-'");
        check(REGION.matcher(region).matches(), "region", region, "a name such as eu-central-1");
        if (endpoint != null) {
            check(isServer(endpoint), "endpoint", withoutSecrets(endpoint), "http[s]://host[:port] and nothing else");
        }
        checkPositive("connect time-out", connectTimeout);
        checkPositive("response time-out", responseTimeout);
        checkPositive("call time-out", callTimeout);
        check(
                callTimeout.compareTo(connectTimeout) >= 0,
                "call time-out",
                callTimeout,
                "at least the connect time-out, " + connectTimeout);
        check(maxConnections >= 1 && maxConnections <= 10_000, "connection limit", maxConnections, "1 to 10000");
    }

    /** The bucket at AWS with the usual limits. */
    public static S3Settings of(String bucket, String region) {
        return new S3Settings(
                bucket, region, null, false, Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(30), 64);
    }

    /** These settings for a server of one's own; such servers are mostly asked in path style. */
    public S3Settings at(URI server, boolean inPathStyle) {
        return new S3Settings(
                bucket, region, server, inPathStyle, connectTimeout, responseTimeout, callTimeout, maxConnections);
    }

    public S3Settings withTimeouts(Duration connect, Duration response, Duration call) {
        return new S3Settings(bucket, region, endpoint, pathStyle, connect, response, call, maxConnections);
    }

    public S3Settings withMaxConnections(int limit) {
        return new S3Settings(bucket, region, endpoint, pathStyle, connectTimeout, responseTimeout, callTimeout, limit);
    }

    private static boolean isServer(URI endpoint) {
        String scheme = endpoint.getScheme();
        String path = endpoint.getRawPath();
        return ("http".equals(scheme) || "https".equals(scheme))
                && endpoint.getHost() != null
                && endpoint.getRawUserInfo() == null
                && endpoint.getRawQuery() == null
                && endpoint.getRawFragment() == null
                && (path == null || path.isEmpty() || path.equals("/"));
    }

    /** What somebody put before an @ may be a password. */
    private static String withoutSecrets(URI endpoint) {
        return endpoint.toString().replaceFirst("//[^/]*@", "//…@");
    }

    private static void checkPositive(String name, Duration value) {
        check(value.isPositive(), name, value, "more than nothing");
    }

    private static void check(boolean holds, String name, Object value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(
                    "S3 settings: the " + name + " is \"" + value + "\", expected " + expected);
        }
    }
}
