package io.carlos.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.carlos.model.testing.ModuleRules;
import org.junit.jupiter.api.Test;

class AgentArchitectureTest {
    private static final JavaClasses CLASSES = ModuleRules.mainClasses("io.carlos.agent");

    @Test
    void the_module_uses_no_other_service() {
        ModuleRules.usesNoOtherModuleThan("agent").check(CLASSES);
    }

    @Test
    void the_core_uses_no_spring() {
        ModuleRules.usesNoSpring(
                        "io.carlos.agent",
                        "io.carlos.agent.launch..",
                        "io.carlos.agent.local..",
                        "io.carlos.agent.reconcile..",
                        "io.carlos.agent.runs..")
                .check(CLASSES);
    }

    @Test
    void only_launchers_know_how_a_command_is_started() {
        noClasses()
                .that()
                .resideInAPackage("io.carlos.agent.runs..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.carlos.agent.launch.*..")
                .check(CLASSES);
    }
}
