package io.carlos.agent.service;

import io.carlos.agent.service.admin.AdminConfiguration;
import io.carlos.agent.service.vm.VmConfiguration;
import io.carlos.model.fleet.SupersededException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** A box's agent. The active profile says what kind of box: {@code local} is a directory of this machine. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
    AgentConfiguration.class,
    RunsFlowConfiguration.class,
    LocalBoxConfiguration.class,
    FleetBoxConfiguration.class,
    UnitBoxConfiguration.class,
    UnitlessBoxConfiguration.class,
    MicroVmConfiguration.class,
    PodmanConfiguration.class,
    BoxSignsConfiguration.class,
    AdminConfiguration.class,
    VmConfiguration.class
})
public class AgentApplication {
    private static final Logger log = LoggerFactory.getLogger(AgentApplication.class);

    /**
     * The exit code of an agent whose name another one has taken: EX_CONFIG of sysexits(3). It must not be restarted, or the two
     * would take the name from each other in turn.
     */
    static final int NAME_TAKEN = 78;

    /** The exit code of an agent whose box was taken for lost: EX_TEMPFAIL. It is to be restarted, and begins anew. */
    static final int FENCED = 75;

    /** Names its configuration files: {@code application.properties} would be read by whoever has this jar as a library. */
    static SpringApplicationBuilder builder() {
        return new SpringApplicationBuilder(AgentApplication.class).properties("spring.config.name=carlos-agent");
    }

    /** How long an agent whose name was taken may take to stop: whatever hangs then, it must not go on beside the other. */
    private static final Duration STOP_OF_A_TAKEN_NAME = Duration.ofSeconds(20);

    /** Ends the process, on a thread of its own that keeps it alive until it has its exit code. */
    static void endSuperseded(ConfigurableApplicationContext context, SupersededException.Reason reason) {
        int code = switch (reason) {
            case NEWER_AGENT -> NAME_TAKEN;
            case FENCED -> FENCED;
        };
        if (reason == SupersededException.Reason.NEWER_AGENT) {
            Thread.ofPlatform().daemon(true).name("superseded-halt").start(() -> haltAfter(STOP_OF_A_TAKEN_NAME, code));
        }
        Thread.ofPlatform()
                .daemon(false)
                .name("superseded")
                .start(() -> System.exit(SpringApplication.exit(context, () -> code)));
    }

    private static void haltAfter(Duration bound, int code) {
        try {
            Thread.sleep(bound);
            log.error("agent: its name is taken and it did not stop within {}: halted", bound);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(code);
    }

    public static void main(String[] args) {
        InterruptibleStartup.run(() -> builder().run(args));
    }
}
