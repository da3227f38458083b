package io.carlos.model;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.carlos.model.testing.ModuleRules;
import org.junit.jupiter.api.Test;

class SharedModelArchitectureTest {
    private static final JavaClasses CLASSES = ModuleRules.mainClasses("io.carlos");

    @Test
    void the_shared_model_uses_no_spring() {
        ModuleRules.usesNoSpring("io.carlos..").check(CLASSES);
    }

    @Test
    void names_need_little_but_the_jdk() {
        classes()
                .that()
                .resideInAPackage("io.carlos.model.names")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "io.carlos.model.names", "io.carlos.model.text", "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void only_the_linux_package_calls_native_code() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.carlos.model.linux..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.sun.jna..")
                .check(CLASSES);
    }

    @Test
    void the_store_knows_nothing_of_what_is_stored() {
        noClasses()
                .that()
                .resideInAPackage("io.carlos.store..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.carlos.model.runs..", "io.carlos.model.records..", "io.carlos.model.json..")
                .check(CLASSES);
    }

    @Test
    void only_the_s3_store_needs_its_optional_libraries() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.carlos.store.s3..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("software.amazon..", "org.apache.hc..")
                .check(CLASSES);
    }
}
