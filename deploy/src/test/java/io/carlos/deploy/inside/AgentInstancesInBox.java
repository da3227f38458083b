package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.deploy.inside.Carlos.Ended;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The life of an instance, as its operator sees it. */
@InsideBox
class AgentInstancesInBox {
    @AutoClose
    private static RealAgent agent;

    @BeforeAll
    static void start() throws IOException {
        agent = new RealAgent();
    }

    @Test
    void aNewInstanceIsSeededOnceAndServesAndLogs() {
        AgentTenant tenant = AgentTenant.withProgram("new.example.com", "--seed", "fresh");

        tenant.awaitShown("\"state\":\"running\"");

        assertThat(tenant.get("/")).isEqualTo("new.example.com seeded=1");
        assertThat(Carlos.run("logs", "new.example.com").text()).contains("serves", "asked for /");
        assertThat(Carlos.run("logs", "new.example.com", "--role", "seed").text())
                .contains("seeds");
        assertThat(Command.of("journalctl", "--quiet", "--output=cat", "CARLOS_HOST=new.example.com")
                        .output())
                .contains("asked for /");
        assertThat(Carlos.run("instances", "restart", "new.example.com").text()).contains("running");
        assertThat(tenant.read("seeded")).isEqualTo("once\n");
    }

    @Test
    void aStoppedInstanceStaysStoppedUntilItIsStarted() {
        AgentTenant tenant = AgentTenant.withProgram("stopped.example.com");
        tenant.awaitShown("\"state\":\"running\"");

        assertThat(Carlos.run("instances", "stop", "stopped.example.com").text())
                .contains("stopped");
        assertThat(tenant.isPopulated(Role.RUN)).isFalse();
        assertThat(tenant.appSocket()).doesNotExist();
        RealAgent.restart();
        assertThat(tenant.shown()).contains("\"state\":\"stopped\"");

        assertThat(Carlos.run("instances", "start", "stopped.example.com").text())
                .contains("running");
        assertThat(tenant.get("/")).startsWith("stopped.example.com");
    }

    @Test
    void anInstanceThatCrashesIsShownWithItsStatusAndWokenByARun() {
        AgentTenant tenant = AgentTenant.withProgram("crashes.example.com");
        tenant.awaitShown("\"state\":\"running\"");

        tenant.get("/crash");

        tenant.awaitShown("\"state\":\"crashed\"");
        assertThat(tenant.shown()).contains("exited with 3");
        assertThat(Carlos.run("logs", "crashes.example.com").text()).contains("crashes");
        assertThat(tenant.run("exit", "0").status()).isZero();
        tenant.awaitShown("\"state\":\"running\"");
    }

    @Test
    void anInstanceThatEndsBeforeItServesSaysSo() throws IOException {
        Path program = Files.writeString(Path.of("/opt/carlos/builds/ends"), "#!/bin/sh\necho cannot go on\nexit 9\n");
        Command.of("chmod", "755", program.toString()).output();
        AgentTenant tenant = AgentTenant.create("ends.example.com").link(program);

        tenant.awaitShown("\"state\":\"failed\"");

        assertThat(tenant.shown()).contains("exited with 9");
        assertThat(Carlos.run("logs", "ends.example.com").text()).isEqualTo("cannot go on");
        Ended started = Carlos.run("instances", "start", "ends.example.com");
        assertThat(started.status()).isNotZero();
        assertThat(started.err()).contains("exited with 9");
    }

    @Test
    void aTrashedInstanceIsStoppedAndItsDataKept() {
        AgentTenant tenant = AgentTenant.withProgram("trashed.example.com");
        tenant.awaitShown("\"state\":\"running\"");
        tenant.make("precious");

        Carlos.run("instances", "trash", "trashed.example.com").text();

        Await.until("its end", () -> !tenant.isPopulated(Role.RUN));
        assertThat(tenant.data("precious")).exists();
        assertThat(tenant.run("exit", "0").status()).isEqualTo(76);
    }

    @Test
    void aSidecarRunsBesideItsInstance() {
        AgentTenant tenant = AgentTenant.withProgram("sidecar.example.com");
        tenant.awaitShown("\"state\":\"running\"");

        Carlos.run("instances", "start", "sidecar.example.com", "--sidecar").text();

        Await.until(
                "its line",
                () -> Carlos.run("logs", "sidecar.example.com", "--role", "sidecar")
                        .text()
                        .contains("helps"));
        assertThat(tenant.isPopulated(Role.SIDECAR)).isTrue();
        Carlos.run("instances", "stop", "sidecar.example.com", "--sidecar").text();
        assertThat(tenant.isPopulated(Role.SIDECAR)).isFalse();
        assertThat(tenant.isPopulated(Role.RUN)).isTrue();
    }
}
