package io.carlos.model.names;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.json.JsonReader;
import io.carlos.model.json.JsonWriter;
import io.carlos.model.json.UnsupportedSchemaException;
import io.carlos.model.text.Utf8;
import org.junit.jupiter.api.Test;

/** What is also compiled ahead of time keeps to the part of the JDK that is there. */
class AheadOfTimeTest {
    @Test
    void theClassesOfTheProgramInTheNamespaceUseNothingThatIsNotThere() throws ClassNotFoundException {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.lang.reflect..",
                        "java.nio.file..",
                        "java.security..",
                        "java.time..",
                        "java.util.concurrent..",
                        "java.util.regex..",
                        "java.util.stream..",
                        "com..",
                        "org.slf4j..",
                        "tools..")
                .orShould()
                .callMethod(String.class, "format", String.class, Object[].class)
                .check(new ClassFileImporter()
                        .importClasses(
                                Host.class,
                                InstanceId.class,
                                InvalidNameException.class,
                                InvocationId.class,
                                Role.class,
                                Sha256.class,
                                SystemdEscape.class,
                                Utf8.class,
                                InvalidDocumentException.class,
                                UnsupportedSchemaException.class,
                                JsonReader.class,
                                JsonWriter.class,
                                Class.forName("io.carlos.model.json.JsonScanner"),
                                LaunchFile.class));
    }
}
