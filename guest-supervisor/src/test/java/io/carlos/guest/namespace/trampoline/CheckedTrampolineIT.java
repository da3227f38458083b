package io.carlos.guest.namespace.trampoline;

import io.carlos.guest.namespace.NativeProgram;

/** With the compiler's checks of memory and of undefined behaviour, each of which ends the program. */
class CheckedTrampolineIT extends TrampolineContract {
    CheckedTrampolineIT() {
        super(NativeProgram.CHECKED, 100);
    }
}
