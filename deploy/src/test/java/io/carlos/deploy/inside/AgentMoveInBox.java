package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.names.Role;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An instance that an operator gives to another box of the store. */
@InsideBox
class AgentMoveInBox {
    private static final List<String> WHERE = List.of("sh", "-c", "echo in $CARLOS_DATA_DIR");

    @AutoClose
    private static DropIn isolations;

    @AutoClose
    private static RealAgent agent;

    @AutoClose
    private static SecondBox second;

    private static AgentTenant plain;

    @BeforeAll
    static void start() throws IOException {
        isolations = new DropIn(RealAgent.EDGE, "Environment=CARLOS_AGENT_ISOLATIONS=unit,process\n");
        agent = new RealAgent();
        // One that the second box would take as well.
        plain = AgentTenant.create("wanders.example.com", "--isolation", "process");
        plain.awaitShown("\"box\":\"" + Command.of("uname", "-n").output() + "\"");
        second = new SecondBox();
    }

    @Test
    void aMovedInstanceIsStoppedAndItsDataStaysWhereItWas() {
        AgentTenant tenant = AgentTenant.withProgram("moved.example.com");
        tenant.awaitShown("\"state\":\"running\"");
        tenant.make("precious");

        move("moved.example.com");

        Await.until("its end", () -> !tenant.isPopulated(Role.RUN));
        assertThat(tenant.shown()).contains("\"box\":\"" + SecondBox.NAME + "\"");
        assertThat(tenant.data("precious")).exists();
        RealAgent.restart();
        assertThat(tenant.isPopulated(Role.RUN)).isFalse();
    }

    @Test
    void aMovedInstanceTakesItsNextRunOnTheOtherBox() {
        assertThat(plain.run(WHERE.toArray(String[]::new)).text()).startsWith("in /data/");

        move("wanders.example.com");

        assertThat(plain.run(WHERE.toArray(String[]::new)).text()).startsWith("in " + second.data());
    }

    private static void move(String host) {
        Carlos.run("instances", "move", host, "--to", SecondBox.NAME).text();
    }
}
