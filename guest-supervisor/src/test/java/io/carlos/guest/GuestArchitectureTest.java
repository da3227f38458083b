package io.carlos.guest;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.carlos.model.testing.ModuleRules;
import org.junit.jupiter.api.Test;

class GuestArchitectureTest {
    private static final JavaClasses CLASSES = ModuleRules.mainClasses("io.carlos.guest");

    @Test
    void the_module_uses_no_other_service() {
        ModuleRules.usesNoOtherModuleThan("guest").check(CLASSES);
    }
}
