package io.carlos.agent.service.vm;

import io.carlos.agent.container.microvm.MicroVmRuntime;
import io.carlos.model.box.BoxPaths;
import java.time.Clock;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Profile;

/** Machines that operators make; a box without a {@link MicroVmRuntime} says that it has none. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
@Import({VmEndpoints.class, ExecEndpoint.class})
public class VmConfiguration {
    @Bean
    Vms vms(ObjectProvider<MicroVmRuntime> runtime, BoxPaths paths) {
        Workspaces workspaces = new Workspaces(paths.data().resolve(".agent").resolve("vms"));
        return new Vms(Optional.ofNullable(runtime.getIfAvailable()), workspaces, Clock.systemUTC());
    }
}
