package io.carlos.guest.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.guest.namespace.NativeProgram;
import io.carlos.model.linux.RootLane;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Commands that are in their group before they run. */
class NativeCgroupIT extends CgroupContract {
    NativeCgroupIT() {
        super(NativeCgroupIT::program);
    }

    private static Optional<Path> program() {
        RootLane.require("start commands as another user");
        return Optional.of(NativeProgram.require(NativeProgram.SHIPPED));
    }

    @Test
    void theFirstThingThatACommandSeesIsItsGroup() throws Exception {
        for (int i = 0; i < 20; i++) {
            CompletableFuture<String> group = new CompletableFuture<>();
            String script = "while read -r l; do case $l in 0::*) echo $l; esac; done < /proc/self/cgroup";
            Execution execution = start(script, group);
            assertThat(end(execution).toString()).isNotEmpty();
            assertThat(group.get(1, TimeUnit.SECONDS)).contains("/" + parent.getFileName() + "/exec-" + execution.id());
        }
    }
}
