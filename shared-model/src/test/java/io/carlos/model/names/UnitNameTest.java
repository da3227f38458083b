package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.testing.Seeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitNameTest {
    @ParameterizedTest
    @CsvSource({
        "RUN, carlos-instance@bill\\x2d2.example.com.service",
        "SEED, carlos-instance-seed@bill\\x2d2.example.com.service",
        "SIDECAR, carlos-instance-sidecar@bill\\x2d2.example.com.service",
        "CMD, carlos-instance-cmd@bill\\x2d2.example.com.service"
    })
    void aRoleOfAHostHasItsUnit(Role role, String unit) {
        UnitName name = UnitName.of(role, Host.of("bill-2.example.com"));
        assertThat(name.value()).isEqualTo(unit);
        assertThat(name).hasToString(unit);
        assertThat(UnitName.parse(unit)).contains(name);
    }

    @Test
    void aUnitNameIsReadIntoRoleAndEscapedIdentifier() {
        assertThat(UnitName.parse("carlos-instance-cmd@bill\\x2d2.example.com.service"))
                .hasValueSatisfying(unit -> {
                    assertThat(unit.role()).isEqualTo(Role.CMD);
                    assertThat(unit.escapedId()).isEqualTo("bill\\x2d2.example.com");
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "carlos-edge.service",
                "carlos-app@x.service",
                "carlos-instance@x.socket",
                "carlos-instance@.service",
                "carlos-instances-x.slice",
                "",
                "carlos-instance.service",
                "carlos-instance-probe.service",
                "carlos-instance-control.service",
                "carlos-instance-control.socket",
                "carlos-instance@",
                "carlos-instance@x",
                "carlos-instance@x.service ",
                " carlos-instance@x.service",
                "Carlos-instance@x.service",
                "carlos-instance-run@x.service",
                "carlos-instance-exec@x.service",
                "carlos-instance@x y.service",
                "carlos-instance@x/y.service",
                "carlos-instance@é.service",
                "carlos-instance@*.service",
                "carlos-instance@x?.service",
                "carlos-instance@[x].service",
                "carlos-instance@x\n.service",
                "carlos-instance@x\0.service",
                "carlos-instance-seed@.service",
                "carlos-instance-sidecar@.service",
                "carlos-instance-cmd@.service"
            })
    void anyOtherUnitIsNotOurs(String name) {
        assertThat(UnitName.parse(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"azAZ09", "x.service", "x.socket", "a-b", "a@b", "\\x41", "_probe"})
    void anInstanceThatSystemdAcceptsIsOursWhateverItIsNamed(String instance) {
        assertThat(UnitName.parse("carlos-instance@" + instance + ".service"))
                .contains(new UnitName(Role.RUN, instance));
    }

    @Test
    void aNameLongerThanSystemdAllowsIsNotOurs() {
        int room = 255 - "carlos-instance@.service".length();
        assertThat(UnitName.parse("carlos-instance@" + "x".repeat(room) + ".service"))
                .isPresent();
        assertThat(UnitName.parse("carlos-instance@" + "x".repeat(room + 1) + ".service"))
                .isEmpty();
        assertThatThrownBy(() -> new UnitName(Role.RUN, "x".repeat(room + 1))).hasMessageContaining("over 255");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "*", "é"})
    void anInstanceNameThatSystemdRefusesIsRefused(String escapedId) {
        assertThatThrownBy(() -> new UnitName(Role.RUN, escapedId)).isInstanceOf(InvalidNameException.class);
    }

    @ParameterizedTest
    @EnumSource
    void theUnitOfAnyHostIsReadBack(Role role) {
        Seeded.check(500, random -> {
            Host host = Names.host(random);
            UnitName unit = UnitName.of(role, host);
            assertThat(UnitName.parse(unit.value())).contains(unit);
            assertThat(SystemdEscape.unescape(unit.escapedId()))
                    .isEqualTo(InstanceId.of(host).value());
        });
    }

    @ParameterizedTest
    @EnumSource
    void theUnitOfTheWorstHostOfEachLengthFitsSystemd(Role role) {
        for (int length = 3; length <= Host.MAX_LENGTH; length++) {
            assertThat(UnitName.of(role, Names.hyphens(length)).value().length())
                    .as("length of the unit's name for a host of %d characters", length)
                    .isLessThanOrEqualTo(255);
        }
    }

    @Test
    void aUnitsControlGroupIsInItsHostsSlice() {
        assertThat(UnitName.of(Role.SEED, Host.of("bill-2.example.com")).cgroupPath())
                .isEqualTo("carlos.slice/carlos-instances.slice/carlos-instances-bill\\x2d2.example.com.slice/"
                        + "carlos-instance-seed@bill\\x2d2.example.com.service");
    }
}
