package io.carlos.control.server;

import io.carlos.model.control.Problem;
import io.carlos.model.json.CarlosJson;
import org.springframework.http.HttpStatus;

/** Problems as they go over the wire. */
final class Problems {
    private static final int MAX_DETAIL = 4_000;

    private Problems() {}

    static Problem of(int status, String detail) {
        return of(Problem.NO_TYPE, status, detail);
    }

    static Problem of(String type, int status, String detail) {
        HttpStatus known = HttpStatus.resolve(status);
        String title = known == null ? "Error" : known.getReasonPhrase();
        return new Problem(type, title, status, harmless(detail));
    }

    static byte[] json(Object problem) {
        return CarlosJson.write(problem);
    }

    /** What a peer or systemd wrote may be in it. */
    private static String harmless(String detail) {
        StringBuilder text = new StringBuilder();
        detail.chars().limit(MAX_DETAIL).forEach(c -> text.append(Character.isISOControl(c) ? ' ' : (char) c));
        return text.toString();
    }
}
