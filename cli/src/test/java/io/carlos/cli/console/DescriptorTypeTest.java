package io.carlos.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DescriptorTypeTest {
    private static final List<String> DRIVERS = List.of(
            "/dev/tty             /dev/tty        5       0 system:/dev/tty",
            "pty_slave            /dev/pts      136 0-1048575 pty:slave",
            "serial               /dev/ttyS       4 64-95 serial");

    @Test
    void majorNumberOfATerminalDriverIsATerminal() {
        assertThat(DescriptorType.isTerminalMajor(136, DRIVERS)).isTrue();
        assertThat(DescriptorType.isTerminalMajor(4, DRIVERS)).isTrue();
    }

    @Test
    void majorNumberOfAnotherDeviceIsNoTerminal() {
        assertThat(DescriptorType.isTerminalMajor(1, DRIVERS)).isFalse();
        assertThat(DescriptorType.isTerminalMajor(64, DRIVERS)).isFalse();
    }

    @Test
    void majorNumberIsUnpackedFromBothItsParts() {
        assertThat(DescriptorType.major(0x8803)).isEqualTo(0x88);
        assertThat(DescriptorType.major(0x0001_2000_0005_6703L)).isEqualTo(0x1_2567);
    }

    @Test
    void descriptorThatIsNotOpenIsOther() {
        assertThat(DescriptorType.of(987_654)).isEqualTo(DescriptorType.OTHER);
    }
}
