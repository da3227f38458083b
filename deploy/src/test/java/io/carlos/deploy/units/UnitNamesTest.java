package io.carlos.deploy.units;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import io.carlos.model.names.SliceName;
import io.carlos.model.names.UnitName;
import io.carlos.model.runs.OutputChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The units' files and the classes that the services build names with say the same. */
class UnitNamesTest {
    private static final Host HOST = Host.of("a.b");
    private static final InstanceId ID = InstanceId.of(HOST);
    private static final BoxPaths BOX = BoxPaths.DEFAULT;

    @ParameterizedTest
    @EnumSource
    void everyRoleHasItsTemplate(Role role) {
        assertThat(template(role).hasLine("ExecStart=/opt/carlos/carlos instance-exec " + role + " %I"))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void everyRoleRunsInTheHostsSlice(Role role) {
        String slice = SliceName.of(HOST).value().replace(ID.escaped(), "%i");

        assertThat(template(role).values("Slice")).containsExactly(slice);
    }

    @ParameterizedTest
    @EnumSource
    void everyRoleHasTheInstancesDirectories(Role role) {
        assertThat(template(role).words("BindPaths"))
                .containsExactly(specifier(BOX.instanceData(ID)), specifier(BOX.instanceRun(ID)));
    }

    @ParameterizedTest
    @EnumSource
    void everyRoleWritesToItsListeners(Role role) {
        UnitFile unit = template(role);
        Path errors = BOX.logSocket(ID, role, OutputChannel.STDERR);
        Path output = BOX.logSocket(ID, role, OutputChannel.STDOUT);

        assertThat(unit.values("StandardOutput")).containsExactly("file:" + specifier(output));
        assertThat(unit.values("StandardError"))
                .containsExactly(errors.equals(output) ? "inherit" : "file:" + specifier(errors));
    }

    @Test
    void theProbeHasItsOwnDirectoriesAndReport() {
        UnitFile probe = UnitFile.of("carlos-instance-probe.service");

        assertThat(probe.words("BindPaths"))
                .containsExactly(
                        BOX.instanceData(InstanceId.PROBE).toString(),
                        BOX.instanceRun(InstanceId.PROBE).toString());
        assertThat(probe.values("StandardOutput")).containsExactly("truncate:" + BOX.probeReport());
    }

    @Test
    void theSocketIsWhereClientsLookForIt() {
        assertThat(UnitFile.of("carlos-instance-control.socket").values("ListenStream"))
                .containsExactly(BOX.controlSocket().toString());
    }

    @Test
    void theMountsShowTheStorageOfInstances() {
        UnitFile data = UnitFile.of("data-instances.mount");
        UnitFile run = UnitFile.of("run-carlos-instances.mount");
        UnitFile logs = UnitFile.of("run-carlos-logs.mount");

        assertThat(data.values("What"))
                .containsExactly(BOX.instanceDataStorage(ID).getParent().toString());
        assertThat(data.values("Where"))
                .containsExactly(BOX.instanceData(ID).getParent().toString());
        assertThat(run.values("What"))
                .containsExactly(BOX.instanceRunStorage(ID).getParent().toString());
        assertThat(run.values("Where"))
                .containsExactly(BOX.instanceRun(ID).getParent().toString());
        assertThat(logs.values("Where")).containsExactly(BOX.logs().toString());
    }

    private static UnitFile template(Role role) {
        return UnitFile.of(UnitName.of(role, HOST).value().replace(ID.escaped(), ""));
    }

    private static String specifier(Path path) {
        return path.toString().replace(ID.value(), "%I");
    }
}
