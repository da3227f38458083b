package io.carlos.control;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.carlos.model.testing.ModuleRules;
import org.junit.jupiter.api.Test;

class ControlArchitectureTest {
    private static final JavaClasses CLASSES = ModuleRules.mainClasses("io.carlos.control");

    @Test
    void the_module_uses_no_other_service() {
        ModuleRules.usesNoOtherModuleThan("control").check(CLASSES);
    }
}
