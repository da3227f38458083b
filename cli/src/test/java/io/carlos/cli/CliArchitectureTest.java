package io.carlos.cli;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.carlos.model.testing.ModuleRules;
import org.junit.jupiter.api.Test;

class CliArchitectureTest {
    private static final JavaClasses CLASSES = ModuleRules.mainClasses("io.carlos.cli");

    @Test
    void the_module_uses_no_service_but_the_agents_core() {
        ModuleRules.usesNoOtherModuleThan("cli", "agent").check(CLASSES);
    }
}
