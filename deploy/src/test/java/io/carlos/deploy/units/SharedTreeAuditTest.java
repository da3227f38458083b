package io.carlos.deploy.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedTreeAuditTest {
    private static final UnitFile NAMESPACE = NamespaceBlock.shared();

    @Test
    void aTenantSeesNothingThatAnotherUnitOfItsUserKeeps() {
        assertThat(SharedTreeAudit.violations(UnitFile.all(), NAMESPACE)).isEmpty();
    }

    @Test
    void theAuditLooksAtTheAgent() {
        UnitFile open = UnitFile.parse("the namespace", "[Service]\nProtectSystem=strict\n");

        assertThat(SharedTreeAudit.violations(UnitFile.all(), open))
                .contains(
                        "carlos-edge.service: /data is in a tenant's sight",
                        "carlos-edge.service: /run/carlos is in a tenant's sight",
                        "carlos-edge.service: /var/lib/carlos is in a tenant's sight",
                        "carlos-edge.service: /var/cache/carlos is in a tenant's sight",
                        "carlos-edge.service: /etc/carlos/agent.env is in a tenant's sight");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ReadWritePaths=/srv/carlos",
                "ReadWritePaths=-/srv/other",
                "ReadWritePaths=/data/../srv",
                "LogsDirectory=carlos",
                "EnvironmentFile=-/etc/default/carlos",
                "LoadCredential=key:/etc/keys/carlos",
            })
    void whatATenantCouldReachIsFound(String setting) {
        assertThat(SharedTreeAudit.violations(List.of(unitOf("carlos", setting)), NAMESPACE))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ReadWritePaths=/data/store",
                "RuntimeDirectory=carlos-agent",
                "StateDirectory=carlos",
                "LoadCredential=key:/etc/carlos/key",
                "SetCredential=key:value",
                "Delegate=yes",
            })
    void whatTheNamespaceHidesIsFine(String setting) {
        assertThat(SharedTreeAudit.violations(List.of(unitOf("carlos", setting)), NAMESPACE))
                .isEmpty();
    }

    @Test
    void aDelegatedControlGroupNeedsANamespaceThatProtectsIt() {
        UnitFile open = UnitFile.parse(
                "the namespace", NAMESPACE.text().replace("ProtectControlGroups=yes", "ProtectControlGroups=no"));

        assertThat(SharedTreeAudit.violations(List.of(unitOf("carlos", "Delegate=yes")), open))
                .containsExactly("planted.service: its control groups are in a tenant's reach");
    }

    @Test
    void whatBelongsToAnotherUserIsNotLookedAt() {
        assertThat(SharedTreeAudit.violations(List.of(unitOf("root", "ReadWritePaths=/srv")), NAMESPACE))
                .isEmpty();
    }

    private static UnitFile unitOf(String user, String setting) {
        return UnitFile.parse("planted.service", "[Service]\nUser=" + user + "\n" + setting + "\n");
    }
}
