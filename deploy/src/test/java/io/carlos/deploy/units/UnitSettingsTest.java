package io.carlos.deploy.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class UnitSettingsTest {
    private static final String MOUNTS = "data-instances.mount run-carlos-instances.mount run-carlos-logs.mount";

    /** What a unit does beyond its namespace. */
    private static final String REQUIRED = """
            carlos-instance@.service
                Type=simple
                ExecStart=/opt/carlos/carlos instance-exec run %I
                ExecStop=-+/usr/bin/kill -s TERM $MAINPID
                ExecStop=-+/bin/sh -c 'waitpid --exited --timeout 19 "$MAINPID" || kill -s KILL "$MAINPID"'
                ExecStopPost=/opt/carlos/carlos instance-exit run %I
                TimeoutStopSec=20
                StandardOutput=file:/run/carlos/logs/%I.run.sock
                StandardError=inherit
            carlos-instance-sidecar@.service
                Type=simple
                ExecStart=/opt/carlos/carlos instance-exec sidecar %I
                ExecStop=-+/usr/bin/kill -s TERM $MAINPID
                ExecStop=-+/bin/sh -c 'waitpid --exited --timeout 19 "$MAINPID" || kill -s KILL "$MAINPID"'
                ExecStopPost=/opt/carlos/carlos instance-exit sidecar %I
                TimeoutStopSec=20
                StandardOutput=file:/run/carlos/logs/%I.sidecar.sock
                StandardError=inherit
            carlos-instance-seed@.service
                Type=oneshot
                RemainAfterExit=yes
                TimeoutStartSec=120
                ExecStart=/opt/carlos/carlos instance-exec seed %I
                ExecStopPost=/opt/carlos/carlos instance-exit seed %I
                StandardOutput=file:/run/carlos/logs/%I.seed.sock
                StandardError=inherit
            carlos-instance-cmd@.service
                Before=carlos-edge.service
                After=MOUNTS
                Type=oneshot
                RemainAfterExit=yes
                TimeoutStartSec=infinity
                ExecStart=/opt/carlos/carlos instance-exec cmd %I
                ExecStopPost=/opt/carlos/carlos instance-exit cmd %I
                StandardOutput=file:/run/carlos/logs/%I.cmd.out.sock
                StandardError=file:/run/carlos/logs/%I.cmd.err.sock
            carlos-instance-probe.service
                Type=oneshot
                User=carlos
                Group=carlos
                Slice=carlos-instances.slice
                Requires=data-instances.mount run-carlos-instances.mount carlos-instance-outside.service
                After=data-instances.mount run-carlos-instances.mount carlos-instance-outside.service
                EnvironmentFile=/run/carlos-control/outside.env
                ExecStart=/opt/carlos/carlos instance-probe
                StandardOutput=truncate:/run/carlos-control/probe.out
                StandardError=journal
                TimeoutStartSec=30
                TasksMax=64
                MemoryMax=64M
                BindPaths=/data/instances/_probe /run/carlos/instances/_probe
                ReadWritePaths=/data/instances/_probe /run/carlos/instances/_probe
            carlos-instance-control.socket
                ListenStream=/run/carlos-control/control.sock
                SocketUser=carlos
                SocketGroup=carlos
                SocketMode=0600
                Accept=no
                WantedBy=sockets.target
            carlos-instance-control.service
                Type=notify
                ExecStart=/opt/carlos/carlos instance-control
                Requires=carlos-instance-control.socket
                StartLimitIntervalSec=0
                Requires=MOUNTS
                ProtectSystem=strict
                ReadWritePaths=/run/carlos-control
                ProtectHome=yes
                PrivateTmp=yes
                PrivateDevices=yes
                ProtectKernelTunables=yes
                ProtectKernelModules=yes
                ProtectKernelLogs=yes
                RestrictAddressFamilies=AF_UNIX
                KillMode=mixed
                TimeoutStopSec=90
                MemoryMax=160M
            carlos-edge.service
                Type=notify
                User=carlos
                Slice=carlos.slice
                After=network-online.target carlos-instance-control.socket carlos-instance-control.service
                ExecStart=/usr/share/carlos/bin/agent-service
                TimeoutStartSec=infinity
                WatchdogSec=60
                MemoryMin=256M
                OOMScoreAdjust=-500
                OOMPolicy=continue
                NoNewPrivileges=yes
                Restart=always
                RestartPreventExitStatus=78
                ExecStopPost=-+/usr/bin/systemctl --no-block stop "carlos-instance-cmd@*.service"
                ExecStopPost=-+/bin/sh -c '[ "$EXIT_STATUS" != 78 ] || exec systemctl --no-block stop "carlos-instance*@*.service"'
                StartLimitIntervalSec=0
                LogRateLimitIntervalSec=0
                Requires=MOUNTS
                WantedBy=multi-user.target
            carlos.slice
                MemoryMin=256M
            carlos-instances.slice
                MemoryMax=75%
            data-instances.mount
                What=/data/.instances
                Where=/data/instances
                Options=bind,nosymfollow
                WantedBy=multi-user.target
            run-carlos-.instances.mount
                Before=systemd-tmpfiles-setup.service
                What=tmpfs
                Where=/run/carlos/.instances
                Type=tmpfs
                Options=nosuid,nodev,noexec,mode=0755,size=200%,nr_inodes=0
            run-carlos-instances.mount
                Requires=systemd-tmpfiles-setup.service run-carlos-.instances.mount
                What=/run/carlos/.instances
                Where=/run/carlos/instances
                Options=bind,nosymfollow
                WantedBy=multi-user.target
            run-carlos-logs.mount
                What=/run/carlos/.logs
                Where=/run/carlos/logs
                Options=bind,nosymfollow
                WantedBy=multi-user.target
            """;

    /** What the four templates have in common. */
    private static final List<String> OF_EVERY_TENANT = List.of(
            "User=carlos",
            "Group=carlos",
            "Slice=carlos-instances-%i.slice",
            "Requires=" + MOUNTS,
            "Restart=no",
            "KillMode=mixed",
            "TasksMax=256",
            "LimitNOFILE=1024:65536",
            "LimitSIGPENDING=1024",
            "LimitMSGQUEUE=409600",
            "OOMScoreAdjust=500",
            "OOMPolicy=kill",
            "BindPaths=/data/instances/%I /run/carlos/instances/%I",
            "ReadWritePaths=/data/instances/%I /run/carlos/instances/%I");

    /** Of the templates but that of commands, which the agent ends itself. */
    private static final List<String> OF_EVERY_INSTANCE =
            List.of("StopPropagatedFrom=carlos-edge.service", "After=carlos-edge.service " + MOUNTS);

    private static final String COMMANDS = "carlos-instance-cmd@.service";

    record Line(String unit, String line) {}

    static List<Line> required() {
        List<Line> lines = new ArrayList<>();
        String unit = "";
        for (String line : REQUIRED.lines().toList()) {
            if (line.startsWith(" ")) {
                lines.add(new Line(unit, line.strip().replace("MOUNTS", MOUNTS)));
            } else {
                unit = line;
            }
        }
        for (String template : NamespaceBlock.UNITS.subList(0, 4)) {
            OF_EVERY_TENANT.forEach(line -> lines.add(new Line(template, line)));
            if (!template.equals(COMMANDS)) {
                OF_EVERY_INSTANCE.forEach(line -> lines.add(new Line(template, line)));
            }
        }
        return lines;
    }

    @ParameterizedTest
    @MethodSource("required")
    void hasTheLine(Line required) {
        assertThat(UnitFile.of(required.unit()).hasLine(required.line())).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        // It speaks to systemd for a user who may not, in root's name; its openat2 and its JVM need the other two.
        "carlos-instance-control.service, User",
        "carlos-instance-control.service, NoNewPrivileges",
        "carlos-instance-control.service, RestrictSUIDSGID",
        "carlos-instance-control.service, MemoryDenyWriteExecute",
        "carlos-edge.service, RestrictSUIDSGID",
        "carlos-edge.service, MemoryDenyWriteExecute",
        "carlos-instance-cmd@.service, StopPropagatedFrom",
    })
    void lacksTheSetting(String unit, String key) {
        assertThat(UnitFile.of(unit).has(key)).isFalse();
    }

    /** With any of these systemd would start an instance again after a restart of the agent. */
    @ParameterizedTest
    @MethodSource("tenants")
    void noRestartOfTheEdgeStartsATenant(String unit) {
        for (String key : List.of("BindsTo", "Requires", "Requisite", "PartOf")) {
            assertThat(UnitFile.of(unit).words(key)).as(key).doesNotContain("carlos-edge.service");
        }
    }

    @Test
    void onlyTheSocketTheMountsAndTheEdgeCanBeEnabled() {
        assertThat(UnitFile.all())
                .filteredOn(unit -> unit.text().contains("[Install]"))
                .extracting(UnitFile::name)
                .containsExactlyInAnyOrder(
                        "carlos-instance-control.socket",
                        "carlos-edge.service",
                        "data-instances.mount",
                        "run-carlos-instances.mount",
                        "run-carlos-logs.mount");
    }

    /** Only the lines that end an instance, which its user could not be trusted with, are run outside of its namespace. */
    @ParameterizedTest
    @MethodSource("tenants")
    void nothingElseOfATenantRunsAsRoot(String name) {
        assertThat(UnitFile.of(name).settings())
                .filteredOn(setting -> setting.value().matches("[-@:]*[+!].*"))
                .extracting(UnitFile.Setting::key)
                .allMatch(key -> key.equals("ExecStop"));
    }

    static List<String> tenants() {
        return NamespaceBlock.UNITS;
    }
}
