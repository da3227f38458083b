package io.carlos.model.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.InvalidNameException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryTierTest {
    @ParameterizedTest
    @CsvSource({"536870912, MIB_512, 483183820", "1073741824, GIB_1, 966367641"})
    void aTierHasItsTwoLimits(String memoryMax, MemoryTier tier, long high) {
        assertThat(MemoryTier.of(memoryMax)).isEqualTo(tier);
        assertThat(tier.maxBytes()).isEqualTo(Long.parseLong(memoryMax));
        assertThat(tier.highBytes()).isEqualTo(high);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0", "536870911", "+536870912", "0536870912", "536870912 ", "512M", "-1", "infinity", "٥"})
    void anyOtherSizeIsRefused(String memoryMax) {
        assertThatThrownBy(() -> MemoryTier.of(memoryMax))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageStartingWith("not a memory tier");
    }
}
