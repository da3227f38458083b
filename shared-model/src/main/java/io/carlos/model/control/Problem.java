package io.carlos.model.control;

/**
 * Why a request was refused or failed (RFC 9457).
 *
 * @param type {@link #NO_TYPE}: the status says what kind of problem it is
 * @param title the status in words
 * @param detail what was wrong or refused, naming the object; systemd's own words where it refused
 */
public record Problem(String type, String title, int status, String detail) {
    public static final String MEDIA_TYPE = "application/problem+json";
    public static final String NO_TYPE = "about:blank";
}
