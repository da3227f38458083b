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

    /** The command line has this module on its class path without anything that the module depends on. */
    @Test
    void only_the_service_and_the_clients_use_libraries_of_their_own() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.carlos.agent.service..", "io.carlos.agent.guest..", "io.carlos.agent.control.http..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "jdk.net..", "io.carlos..", "org.slf4j..", "org.jspecify..")
                .because("the rest runs without a container, and in the command line's own process")
                .check(CLASSES);
    }

    @Test
    void nothing_uses_the_service() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.carlos.agent.service..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.carlos.agent.service..")
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

    @Test
    void nothing_of_a_command_line_agent_uses_the_clients() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.carlos.agent.service..", "io.carlos.agent.guest..", "io.carlos.agent.control.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.carlos.agent.guest..", "io.carlos.agent.control.http..")
                .check(CLASSES);
    }
}
