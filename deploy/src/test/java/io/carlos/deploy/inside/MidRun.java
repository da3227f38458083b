package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.deploy.inside.Carlos.Ended;
import io.carlos.model.names.Role;

/** An instance that runs and a command beside it that does not end, over the end of a boot. */
final class MidRun {
    private final AgentTenant tenant;

    private MidRun(AgentTenant tenant) {
        this.tenant = tenant;
    }

    static void begin(String host) {
        AgentTenant tenant = AgentTenant.withProgram(host);
        tenant.awaitShown("\"state\":\"running\"");
        Carlos run = Carlos.start(tenant.command("wait"));
        Await.until("its output in the store", run::hasPrinted);
        assertThat(tenant.executes()).isTrue();
    }

    /** What became of it. */
    static MidRun find(String host) {
        return new MidRun(AgentTenant.linked(host));
    }

    /** @param reason what the result says of the interruption */
    void assertInterrupted(String reason) {
        Ended followed = Carlos.run("runs", "follow", id());

        assertThat(followed.status()).as(followed.err()).isEqualTo(76);
        assertThat(followed.err()).contains("the run was interrupted", reason);
        assertThat(followed.out()).startsWith("begun\n");
    }

    void assertExecutedOnce() {
        assertThat(tenant.read("begun").lines()).hasSize(1);
        tenant.assertNothingOfCommandsIsLeft();
    }

    void assertHostTakesTheNextRun() {
        Ended next = tenant.run("exit", "3");

        assertThat(next.status()).as(next.err()).isEqualTo(3);
    }

    void assertInstanceWasStartedOnce() {
        tenant.awaitShown("\"state\":\"running\"");

        assertThat(tenant.get("/")).startsWith(tenant.toString());
        assertThat(tenant.isPopulated(Role.RUN)).isTrue();
        assertThat(Command.of("journalctl", "--boot", "--quiet", "--output=cat", "CARLOS_HOST=" + tenant)
                        .output()
                        .lines()
                        .filter("serves"::equals))
                .hasSize(1);
    }

    /** The program writes the name of the run as often as it is executed. */
    private String id() {
        return tenant.read("begun").lines().findFirst().orElseThrow();
    }
}
