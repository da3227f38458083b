package io.carlos.store.s3;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** What an S3 server says, as bytes. */
final class Answers {
    private Answers() {}

    static WireServer.Answer ok(String etagHeader) {
        return bytes(200, List.of("ETag: " + etagHeader), "");
    }

    static WireServer.Answer value(String etagHeader, String value) {
        return bytes(200, List.of("ETag: " + etagHeader, "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"), value);
    }

    static WireServer.Answer status(int status) {
        return bytes(status, List.of(), "");
    }

    static WireServer.Answer error(int status, String code) {
        return bytes(
                status,
                List.of("Content-Type: application/xml"),
                "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>said so</Message></Error>");
    }

    /** A page of a listing; every object has the etag {@code "e"}. */
    static WireServer.Answer page(boolean truncated, String... keys) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?><ListBucketResult><IsTruncated>");
        xml.append(truncated).append("</IsTruncated>");
        for (String key : keys) {
            xml.append("<Contents><Key>").append(key).append("</Key><ETag>&quot;e&quot;</ETag><Size>1</Size>");
            xml.append("<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>");
        }
        return bytes(
                200,
                List.of("Content-Type: application/xml"),
                xml.append("</ListBucketResult>").toString());
    }

    /** An answer whose end is missing. */
    static WireServer.Answer brokenOff(String etagHeader, String value) {
        String head =
                "HTTP/1.1 200 OK\r\nETag: " + etagHeader + "\r\nContent-Length: " + (value.length() + 1) + "\r\n\r\n";
        return new WireServer.Answer.LastBytes((head + value).getBytes(StandardCharsets.ISO_8859_1));
    }

    private static WireServer.Answer bytes(int status, List<String> headers, String body) {
        StringBuilder answer = new StringBuilder("HTTP/1.1 " + status + " Said\r\n");
        headers.forEach(header -> answer.append(header).append("\r\n"));
        if (status != 204 && status != 304) {
            answer.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        answer.append("\r\n").append(body);
        return new WireServer.Answer.Bytes(answer.toString().getBytes(StandardCharsets.ISO_8859_1));
    }
}
