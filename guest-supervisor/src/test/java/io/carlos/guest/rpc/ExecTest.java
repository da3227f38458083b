package io.carlos.guest.rpc;

/** Commands that threads of the supervisor start as their users. */
class ExecTest extends ExecContract {
    ExecTest() {
        super(() -> new String[0]);
    }
}
