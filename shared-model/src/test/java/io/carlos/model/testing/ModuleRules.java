package io.carlos.model.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** The boundaries between modules, which every module's own test asks for its classes. */
public final class ModuleRules {
    private static final List<String> MODULES = List.of("control", "agent", "guest", "cli");

    private ModuleRules() {}

    /** The classes of a module that are shipped. */
    public static JavaClasses mainClasses(String rootPackage) {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(rootPackage);
    }

    /** A service module uses the shared model and no other module. */
    public static ArchRule usesNoOtherModuleThan(String module, String... besides) {
        String[] others = MODULES.stream()
                .filter(other -> !other.equals(module) && !List.of(besides).contains(other))
                .map(other -> "io.carlos." + other + "..")
                .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage("io.carlos." + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .because("modules meet in the shared model only");
    }

    /** No two packages need each other, so each can be read by itself. */
    public static ArchRule packagesFormNoCycle(String rootPackage) {
        return slices().matching(rootPackage + ".(**)").should().beFreeOfCycles();
    }

    public static ArchRule usesNoSpring(String... packages) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework..")
                .because("it runs without a container, and in the command line's own process");
    }
}
