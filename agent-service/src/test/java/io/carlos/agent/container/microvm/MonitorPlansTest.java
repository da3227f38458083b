package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.microvm.QemuMonitor.Accelerator;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The whole of what is started, word for word: an option that goes missing weakens every machine without a sound. */
class MonitorPlansTest {
    private static final GuestImage IMAGE = GuestImage.in(Path.of("/image"));
    private static final Helpers HELPERS = Helpers.in(Path.of("/tools"), new Helpers.Owner(998, 997));
    private static final BootConfiguration BOOT = new BootConfiguration(
            SessionDirectory.of(Path.of("/run/c/microvm"), new ContainerId("00112233445566ff")),
            Path.of("/data/one"),
            new byte[] {1, 2, 3, (byte) 0xff, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
            new MachineSize(2, 512),
            false);
    private static final String COMMAND_LINE = "console=ttyS0 quiet panic=-1 maxcpus=1 compass.vsock_port=1024 "
            + "compass.boot_nonce=010203ff05060708090a0b0c0d0e0f10";
    private static final String VIRTIOFSD = """
            virtiofsd: /tools/virtiofsd --socket-path=S/fs --shared-dir=/data/one --sandbox=namespace \
            --translate-uid=map:1000:998:1 --translate-gid=map:1000:997:1""";
    private static final String PASST = "passt: /tools/passt --foreground --quiet --socket S/net --runas 998:997"
            + " --no-map-gw --dns-forward 169.254.1.1";
    private static final String VSOCK = "vhost-device-vsock: /tools/vhost-device-vsock "
            + "--vm guest-cid=3,socket=S/vhost,uds-path=S/vsock,tx-buffer-size=32768";

    private static List<String> words(List<ProgramSpec> programs) {
        return programs.stream().map(MonitorPlansTest::words).toList();
    }

    private static String words(ProgramSpec program) {
        return program.name() + ": "
                + program.argv().stream()
                        .map(word -> word.replace("/run/c/microvm/00112233445566ff", "S"))
                        .collect(Collectors.joining(" "));
    }

    private static QemuMonitor qemu(Accelerator accelerator) {
        return new QemuMonitor(Path.of("/tools/qemu"), accelerator, IMAGE, HELPERS);
    }

    @Test
    void qemuHasThreeHelpersInTheirOrder() {
        assertThat(words(qemu(Accelerator.TCG).plan(BOOT).helpers())).containsExactly(VIRTIOFSD, PASST, VSOCK);
    }

    @Test
    void networkWithAddressesToBeKeptFromIsServedFromWithinANetworkThatHasNoWayThere() throws Exception {
        List<InetAddress> addresses = List.of(InetAddress.getByName("192.0.2.7"), InetAddress.getByName("2001:db8::7"));
        QemuMonitor monitor =
                new QemuMonitor(Path.of("/tools/qemu"), Accelerator.TCG, IMAGE, HELPERS.keptFrom(addresses));
        assertThat(words(monitor.plan(BOOT).helpers().get(1))).isEqualTo("""
                        passt: /usr/bin/unshare --user --map-root-user /tools/pasta --foreground --quiet --runas 0:0 \
                        --config-net --no-map-gw --dns-forward 169.254.1.1 -t none -u none -T none -U none \
                        -- /bin/sh -c for address in $0; do
                          family=-4
                          case $address in *:*) [ -e /proc/net/if_inet6 ] || continue; family=-6 ;; esac
                          ip $family rule add to $address unreachable pref 1 || exit
                          if ip $family route get $address; then
                            echo "$address is reached all the same"
                            exit 1
                          fi 2>/dev/null
                        done
                        exec "$@"
                         192.0.2.7 2001:db8:0:0:0:0:0:7 /tools/passt --foreground --quiet --socket S/net --runas 0:0 \
                        --no-map-gw --dns-forward 169.254.1.1 --dns-host 169.254.1.1""");
    }

    @Test
    void qemuIsTold() {
        assertThat(words(qemu(Accelerator.TCG).plan(BOOT).machine()))
                .isEqualTo("qemu: /tools/qemu -machine q35,memory-backend=memory -accel tcg,thread=multi -cpu max"
                        + " -smp 2 -m 512"
                        + " -sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"
                        + " -object memory-backend-memfd,id=memory,size=512M,share=on"
                        + " -nodefaults -no-user-config -display none -monitor none -serial stdio -no-reboot"
                        + " -kernel /image/vmlinuz -initrd /image/initramfs -append " + COMMAND_LINE
                        + " -drive file=/image/root.erofs,if=none,id=root,format=raw,readonly=on"
                        + " -device virtio-blk-pci,drive=root"
                        + " -chardev socket,id=fs,path=S/fs -device vhost-user-fs-pci,chardev=fs,tag=workspace"
                        + " -chardev socket,id=vsock,path=S/vhost -device vhost-user-vsock-pci,chardev=vsock"
                        + " -netdev stream,id=net,server=off,addr.type=unix,addr.path=S/net"
                        + " -device virtio-net-pci,netdev=net,romfile=");
    }

    @Test
    void qemuWithHardwareSupportDiffersInThat() {
        assertThat(qemu(Accelerator.KVM).plan(BOOT).machine().argv())
                .containsSubsequence("-accel", "kvm", "-cpu", "host");
    }

    @Test
    void workspaceThatIsGivenItsDataLaterIsServedFromWithinNamespaces() {
        BootConfiguration late =
                new BootConfiguration(BOOT.directory(), BOOT.workspace(), BOOT.nonce(), BOOT.size(), true);

        assertThat(qemu(Accelerator.TCG).plan(late).helpers().getFirst().argv())
                .startsWith("/usr/bin/unshare", "--user", "--map-root-user", "--mount")
                .contains("--sandbox=namespace", "--translate-uid=map:1000:0:1", "--announce-submounts");
    }

    @Test
    void commaInAPathBeginsNoOptionOfQemu() {
        GuestImage image = GuestImage.in(Path.of("/im,age"));
        assertThat(new QemuMonitor(Path.of("/q"), Accelerator.TCG, image, HELPERS)
                        .plan(BOOT)
                        .machine()
                        .argv())
                .contains("file=/im,,age/root.erofs,if=none,id=root,format=raw,readonly=on");
    }

    @Test
    void cloudHypervisorHasAVsockOfItsOwn() {
        MachinePlan plan = new CloudHypervisorMonitor(Path.of("/tools/ch"), IMAGE, HELPERS).plan(BOOT);
        assertThat(words(plan.helpers())).containsExactly(VIRTIOFSD, PASST + " --vhost-user");
        assertThat(words(plan.machine()))
                .isEqualTo("cloud-hypervisor: /tools/ch --cpus boot=2 --memory size=512M,shared=on"
                        + " --kernel /image/vmlinuz --initramfs /image/initramfs --cmdline " + COMMAND_LINE
                        + " --disk path=/image/root.erofs,readonly=on --fs tag=workspace,socket=S/fs"
                        + " --net vhost_user=on,socket=S/net --vsock cid=3,socket=S/vsock --serial tty --console off");
    }
}
