package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.carlos.deploy.inside.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Follows the operators' document word for word, from a machine that has nothing of Carlos. After all others: this takes
 * away whatever they left.
 */
@InsideBox
@Order(Integer.MAX_VALUE)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OperationsInBox {
    private static final Path STAND_IN = Path.of("/etc/systemd/system/carlos-edge.service.d");
    private static final Path DATA = Path.of("/data/.instances/demo.example.com");

    @AutoClose
    private static MetadataService metadata;

    /** Where whoever follows the document stands at first. */
    private static Path downloads;

    private static OperationsDocument document;

    @BeforeAll
    static void aBareMachine() throws IOException {
        assumeTrue(Lane.current() == Lane.NSPAWN, "a package takes minutes to make its caches in an emulated machine");
        BoxPackage.purge();
        Command.of("rm", "-r", STAND_IN.toString()).output();
        Command.of("rm", "-rf", "--one-file-system", "/data", "/opt/carlos").output();
        metadata = new MetadataService();
        document = OperationsDocument.read();
        downloads = Files.createTempDirectory("downloads");
        Files.copy(BoxPackage.FILE, downloads.resolve("carlos-box_0_amd64.deb"));
    }

    @Test
    @Order(1)
    void aBareMachineComesToAFinishedRun() throws IOException {
        Result followed = follow("From a bare machine to a finished run");

        assertThat(followed.status()).as(followed.text()).isZero();
        assertThat(followed.text()).contains("\n2 rows imported\n").contains("serving");
    }

    @Test
    @Order(2)
    void aBoxIsUpgraded() throws IOException {
        Files.delete(downloads.resolve("carlos-box_0_amd64.deb"));
        Path newer = BoxPackage.newer("9.9");
        Files.move(newer, downloads.resolve(newer.getFileName()));

        Result followed = follow("Draining, sweeping, upgrading");

        assertThat(followed.status()).as(followed.text()).isZero();
        assertThat(BoxPackage.installedVersion()).isEqualTo("9.9");
        RealAgent.awaitReady();
        assertThat(Carlos.run("instances", "list").text()).contains("demo.example.com");
    }

    @Test
    @Order(3)
    void aBoxIsRemovedAndItsDataStays() throws IOException {
        Result followed = follow("Removing");

        assertThat(followed.status()).as(followed.text()).isZero();
        assertThat(Path.of("/etc/carlos")).doesNotExist();
        assertThat(Path.of("/usr/share/carlos")).doesNotExist();
        assertThat(DATA).isDirectory();
    }

    /** Types all of a section, until something fails, and says yes to whatever is asked. */
    private static Result follow(String section) throws IOException {
        Path script = Files.createTempFile("operations", ".sh");
        Files.writeString(script, "cd " + downloads + "\n" + document.definitions() + document.commandsOf(section));
        return Command.of("sh", "-c", "yes | bash -eux -o pipefail " + script).run();
    }
}
