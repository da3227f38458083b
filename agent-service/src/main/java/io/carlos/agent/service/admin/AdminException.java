package io.carlos.agent.service.admin;

import org.springframework.http.HttpStatus;

/** Why an operator's request was not done. */
public final class AdminException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;

    /** @param detail names the thing and says what to do */
    public AdminException(HttpStatus status, String detail) {
        super(detail);
        this.status = status;
    }

    public AdminException(HttpStatus status, String detail, Throwable cause) {
        super(detail, cause);
        this.status = status;
    }

    HttpStatus status() {
        return status;
    }
}
