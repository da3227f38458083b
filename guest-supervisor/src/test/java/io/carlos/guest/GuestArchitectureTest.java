package io.carlos.guest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.carlos.model.testing.ModuleRules;
import org.junit.jupiter.api.Test;

class GuestArchitectureTest {
    private static final JavaClasses CLASSES = ModuleRules.mainClasses("io.carlos.guest");

    @Test
    void the_module_uses_no_other_service() {
        ModuleRules.usesNoOtherModuleThan("guest").check(CLASSES);
    }

    /** The JDK waits for its own children, and would miss those that were reaped for it. */
    @Test
    void nothing_starts_processes_behind_the_back_of_the_reaper() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Process.class, ProcessBuilder.class)
                .check(CLASSES);
    }

    @Test
    void only_starters_start_processes() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.carlos.guest.exec")
                .should()
                .dependOnClassesThat()
                .haveSimpleName("PosixSpawn")
                .check(CLASSES);
    }

    @Test
    void only_the_server_and_its_settings_use_spring() {
        ModuleRules.usesNoSpring(
                        "io.carlos.guest.boot..",
                        "io.carlos.guest.exec..",
                        "io.carlos.guest.rpc..",
                        "io.carlos.guest.state..",
                        "io.carlos.guest.transport..")
                .check(CLASSES);
    }
}
