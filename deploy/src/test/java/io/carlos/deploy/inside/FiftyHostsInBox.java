package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many hosts of one box, of each a run, all of them at the same time. */
@InsideBox
class FiftyHostsInBox {
    private static final int HOSTS = Lane.times(50, 5);

    @Test
    void aRunOfEachExecutesOnceAndLeavesNothing() throws IOException {
        try (RealAgent _ = new RealAgent()) {
            List<AgentTenant> tenants = IntStream.range(0, HOSTS)
                    .mapToObj(i -> AgentTenant.linked(ManyRuns.host(i)))
                    .toList();
            Carlos asking = Carlos.program(
                    "java",
                    "@/usr/share/carlos-suite/jvm.options",
                    ManyRuns.class.getName(),
                    Carlos.STORE.toString(),
                    Integer.toString(HOSTS),
                    "until",
                    "go");
            tenants.forEach(tenant -> tenant.awaitFile("begun"));

            assertThat(tenants).allMatch(AgentTenant::executes);
            tenants.forEach(tenant -> tenant.make("go"));

            List<String> lines = asking.await().text().lines().toList();
            assertThat(lines).hasSize(HOSTS);
            for (int i = 0; i < HOSTS; i++) {
                AgentTenant tenant = tenants.get(i);
                String[] line = lines.get(i).split(" ", 4);
                assertThat(Stream.of(line[0], line[2], line[3])).containsExactly(tenant.toString(), "4", "seen");
                assertThat(tenant.read("begun")).as("its executions").isEqualTo(line[1] + "\n");
                assertThat(tenant.leftOfCommands()).as("%s", tenant).isEmpty();
            }
        }
    }
}
