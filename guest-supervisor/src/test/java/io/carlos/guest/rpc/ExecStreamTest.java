package io.carlos.guest.rpc;

/** Commands that threads of the supervisor start as their users. */
class ExecStreamTest extends ExecStreamContract {
    ExecStreamTest() {
        super(() -> new String[0]);
    }
}
