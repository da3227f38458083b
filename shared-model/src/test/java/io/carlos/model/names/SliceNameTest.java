package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SliceNameTest {
    private static final Host BILL = Host.of("bill-2.example.com");

    @Test
    void aHostHasOneSlice() {
        assertThat(SliceName.of(BILL).value()).isEqualTo("carlos-instances-bill\\x2d2.example.com.slice");
        assertThat(SliceName.of(BILL)).hasToString(SliceName.of(BILL).value());
    }

    @ParameterizedTest
    @EnumSource
    void allRolesOfAHostShareItsSlice(Role role) {
        assertThat(UnitName.of(role, BILL).slice()).isEqualTo(SliceName.of(BILL));
    }

    @Test
    void aSliceIsAChildOfTheSliceOfAllInstances() {
        assertThat(SliceName.of(Host.of("a-b.c-d")).cgroupPath())
                .isEqualTo("carlos.slice/carlos-instances.slice/carlos-instances-a\\x2db.c\\x2dd.slice");
    }

    @Test
    void aHyphenThatIsNotEscapedNestsAsInSystemd() {
        assertThat(new SliceName("a-b").cgroupPath())
                .isEqualTo("carlos.slice/carlos-instances.slice/carlos-instances-a.slice/carlos-instances-a-b.slice");
    }

    @Test
    void theSliceOfTheWorstHostOfEachLengthFitsSystemd() {
        for (int length = 3; length <= Host.MAX_LENGTH; length++) {
            assertThat(SliceName.of(Names.hyphens(length)).value().length())
                    .as("length of the slice's name for a host of %d characters", length)
                    .isLessThanOrEqualTo(255);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "..*", "é"})
    void whatSystemdRefusesIsRefused(String escapedId) {
        assertThatThrownBy(() -> new SliceName(escapedId)).isInstanceOf(InvalidNameException.class);
    }
}
