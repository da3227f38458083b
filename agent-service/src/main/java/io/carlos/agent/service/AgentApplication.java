package io.carlos.agent.service;

import io.carlos.agent.service.admin.AdminConfiguration;
import io.carlos.model.fleet.SupersededException;
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
    BoxSignsConfiguration.class,
    AdminConfiguration.class
})
public class AgentApplication {
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

    /** Ends the process, on a thread of its own that keeps it alive until it has its exit code. */
    static void endSuperseded(ConfigurableApplicationContext context, SupersededException.Reason reason) {
        int code = switch (reason) {
            case NEWER_AGENT -> NAME_TAKEN;
            case FENCED -> FENCED;
        };
        Thread.ofPlatform()
                .daemon(false)
                .name("superseded")
                .start(() -> System.exit(SpringApplication.exit(context, () -> code)));
    }

    public static void main(String[] args) {
        InterruptibleStartup.run(() -> builder().run(args));
    }
}
