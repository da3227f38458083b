package io.carlos.guest.exec;

import java.util.Optional;

/** Commands that enter their group when they run already. */
class CgroupContainmentTest extends CgroupContract {
    CgroupContainmentTest() {
        super(Optional::empty);
    }
}
