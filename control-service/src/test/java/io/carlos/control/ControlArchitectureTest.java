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

    @Test
    void packages_form_no_cycle() {
        ModuleRules.packagesFormNoCycle("io.carlos.control").check(CLASSES);
    }

    @Test
    void what_is_done_knows_no_spring() {
        ModuleRules.usesNoSpring(
                        "io.carlos.control.unit..",
                        "io.carlos.control.cgroup..",
                        "io.carlos.control.verb..",
                        "io.carlos.control.ready..",
                        "io.carlos.control.peer..",
                        "io.carlos.control.request..",
                        "io.carlos.control.metrics..")
                .check(CLASSES);
    }
}
