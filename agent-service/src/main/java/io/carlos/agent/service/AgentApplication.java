package io.carlos.agent.service;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** A box's agent. The active profile says what kind of box: {@code local} is a directory of this machine. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({AgentConfiguration.class, LocalBoxConfiguration.class, FleetBoxConfiguration.class, RunsFlowConfiguration.class
})
public class AgentApplication {
    /** The exit code of an agent whose name another one has taken: EX_CONFIG of sysexits(3). */
    static final int SUPERSEDED = 78;

    /** Names its configuration files: {@code application.properties} would be read by whoever has this jar as a library. */
    static SpringApplicationBuilder builder() {
        return new SpringApplicationBuilder(AgentApplication.class).properties("spring.config.name=carlos-agent");
    }

    /** Ends the process: whatever restarts it must not, or two agents would take one name from each other in turn. */
    static void endSuperseded(ConfigurableApplicationContext context) {
        Thread.ofPlatform()
                .name("superseded")
                .start(() -> System.exit(SpringApplication.exit(context, () -> SUPERSEDED)));
    }

    public static void main(String[] args) {
        builder().run(args);
    }
}
