package io.carlos.agent.control.http;

/**
 * What came back.
 *
 * @param status the HTTP status
 * @param body empty for none
 */
record Answer(int status, byte[] body) {
    boolean isSuccess() {
        return status / 100 == 2;
    }
}
