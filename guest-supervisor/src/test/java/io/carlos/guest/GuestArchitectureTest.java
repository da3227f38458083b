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

    @Test
    void the_packages_of_the_program_in_the_namespace_form_no_cycle() {
        ModuleRules.packagesFormNoCycle("io.carlos.guest.namespace").check(CLASSES);
    }

    @Test
    void the_program_in_the_namespace_uses_nothing_that_cannot_be_compiled_ahead_of_time() {
        noClasses()
                .that()
                .resideInAPackage("io.carlos.guest.namespace..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "com..",
                        "java.io..",
                        "java.lang.reflect..",
                        "java.net..",
                        "java.nio.file..",
                        "java.util.concurrent..",
                        "java.util.regex..",
                        "java.util.stream..",
                        "org.slf4j..",
                        "tools..")
                .check(CLASSES);
    }

    @Test
    void only_the_entry_point_of_the_native_program_knows_the_compiler() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.carlos.guest.namespace.teavm")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.teavm..")
                .check(CLASSES);
    }
}
