package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.files.StatusFile;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How what was started ends is known each time, and it is given the time to end. */
@InsideBox
class StopInBox {
    private static final String EDGE = "carlos-edge.service";

    /** Ends with 7, while processes whose parents have gone end all around. */
    private static final String AMONG_ORPHANS = """
            i=0
            while [ $i -lt 20 ]; do
              (sleep 0.0$i &)
              i=$((i + 1))
            done
            sleep 0.05
            exit 7
            """;

    @Test
    void theSequenceOfTheControlServiceLetsAnInstanceEnd() throws Exception {
        assertThat(endings("sequence", (tenant, role) -> tenant.stopInSequence(role), Role.RUN))
                .containsOnly("exited 42")
                .hasSize(Trials.TIMES);
    }

    @Test
    void aPlainStopLetsAnInstanceEnd() throws Exception {
        assertThat(endings("plain", (tenant, role) -> tenant.stop(role), Role.RUN))
                .containsOnly("exited 42")
                .hasSize(Trials.TIMES);
    }

    @Test
    void aPlainStopLetsASidecarEnd() throws Exception {
        assertThat(endings("sidecar", (tenant, role) -> tenant.stop(role), Role.SIDECAR))
                .containsOnly("exited 42")
                .hasSize(Trials.TIMES);
    }

    /** The stop of a oneshot that is still starting runs no ExecStop=. */
    @Test
    void theSequenceLetsACommandEnd() throws Exception {
        assertThat(endings("command", (tenant, role) -> tenant.stopInSequence(role), Role.CMD))
                .containsOnly("exited 42")
                .hasSize(Trials.TIMES);
    }

    @Test
    void aStatusIsKeptWhileOrphansDie() throws Exception {
        List<String> endings = Trials.onEach("orphans", tenant -> {
            tenant.with(Role.CMD, AMONG_ORPHANS).startWithoutWaiting(Role.CMD);
            InvocationId invocation = tenant.invocation(Role.CMD);
            StatusFile status = tenant.awaitStatus(Role.CMD, invocation);
            tenant.stop(Role.CMD);
            tenant.forget(Role.CMD);
            return Trials.describe(status);
        });

        assertThat(endings).containsOnly("exited 7").hasSize(Trials.TIMES);
    }

    @ParameterizedTest
    @EnumSource
    void signal9IsRecordedAsSuch(Role role) {
        Tenant tenant = new Tenant("nine-" + role + ".example.com").with(role, "kill -9 $$\n");

        tenant.startWithoutWaiting(role);

        assertThat(Trials.describe(tenant.awaitStatus(role, tenant.invocation(role))))
                .isEqualTo("killed 9");
        tenant.stop(role);
        tenant.forget(role);
    }

    @Test
    void aProgramWithoutAHandlerEndsByTheSignal() {
        Tenant tenant = new Tenant("plain.example.com").with(Role.RUN, "touch \"$DATA/ready\"; exec sleep 1000\n");
        InvocationId invocation = startUntilReady(tenant, Role.RUN);

        tenant.stop(Role.RUN);

        assertThat(Trials.describe(tenant.awaitStatus(Role.RUN, invocation))).isEqualTo("killed 15");
        tenant.forget(Role.RUN);
    }

    /** What systemd kills itself, after another {@code TimeoutStopSec=}, has the result "timeout". */
    @ParameterizedTest
    @EnumSource(names = {"RUN", "SIDECAR"})
    void aProgramThatIgnoresTheSignalIsKilledBeforeSystemdHasTo(Role role) throws Exception {
        List<Tenant> tenants = Tenant.several(Trials.AT_ONCE, "deaf-" + role);

        List<String> endings = Trials.sideBySide(tenants, tenant -> {
            InvocationId invocation = startUntilReady(tenant.with(role, Tenant.DEAF), role);
            tenant.stop(role);
            return tenant.show(role, "Result") + ", "
                    + tenant.awaitStatus(role, invocation).cause();
        });

        assertThat(endings).containsOnly("signal, running").hasSize(Trials.AT_ONCE);
        tenants.forEach(tenant -> tenant.forget(role));
    }

    @Test
    void aHostOfTheGreatestLengthIsStartedAndStopped() {
        String host = "a-".repeat(31) + "a." + "b-".repeat(31) + "b.example.com";
        Tenant tenant = new Tenant(host).with(Role.RUN, Tenant.SLOW_TO_END);
        InvocationId invocation = startUntilReady(tenant, Role.RUN);

        tenant.stop(Role.RUN);

        assertThat(Trials.describe(tenant.awaitStatus(Role.RUN, invocation))).isEqualTo("exited 42");
        tenant.forget(Role.RUN);
    }

    @ParameterizedTest
    @MethodSource("endsOfTheAgent")
    void whateverEndsTheAgentStopsItsInstancesAndStartsNone(Command end) {
        Tenant tenant = new Tenant("bound.example.com").with(Role.RUN, Tenant.SLOW_TO_END);
        InvocationId invocation = startUntilReady(tenant, Role.RUN);
        String agent = mainPid();

        end.output();

        Await.until(
                "another agent", () -> !mainPid().equals(agent) && !mainPid().equals("0"));
        assertThat(Trials.describe(tenant.awaitStatus(Role.RUN, invocation))).isEqualTo("exited 42");
        assertThat(tenant.invocation(Role.RUN)).isEqualTo(invocation);
        tenant.forget(Role.RUN);
    }

    static List<Command> endsOfTheAgent() {
        return List.of(
                Command.systemctl("restart", EDGE),
                Command.systemctl("kill", "--kill-whom=main", "--signal=SIGKILL", EDGE),
                Command.systemctl("kill", "--kill-whom=main", "--signal=SIGTERM", EDGE));
    }

    private static String mainPid() {
        return Command.systemctl("show", "--property=MainPID", "--value", EDGE).output();
    }

    private static List<String> endings(String name, BiConsumer<Tenant, Role> stop, Role role) throws Exception {
        return Trials.onEach(name, tenant -> {
            InvocationId invocation = startUntilReady(tenant.with(role, Tenant.SLOW_TO_END), role);
            stop.accept(tenant, role);
            StatusFile status = tenant.awaitStatus(role, invocation);
            tenant.forget(role);
            return Trials.describe(status);
        });
    }

    /** Of a script that says when its handler is there. */
    private static InvocationId startUntilReady(Tenant tenant, Role role) {
        tenant.deleteFile("ready");
        tenant.startWithoutWaiting(role);
        tenant.awaitFile("ready");
        return tenant.invocation(role);
    }
}
