package io.carlos.guest.rpc;

import io.carlos.guest.namespace.NativeProgram;

/** Commands that the native program becomes. */
class NativeExecStreamIT extends ExecStreamContract {
    NativeExecStreamIT() {
        super(() -> new String[] {"--carlos.guest.native-program=" + NativeProgram.require(NativeProgram.SHIPPED)});
    }
}
