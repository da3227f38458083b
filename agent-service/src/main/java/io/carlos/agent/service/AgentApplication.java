package io.carlos.agent.service;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Import;

/** A box's agent. The active profile says what kind of box: {@code local} is a directory of this machine. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({AgentConfiguration.class, LocalBoxConfiguration.class, RunsFlowConfiguration.class})
public class AgentApplication {
    /** Names its configuration files: {@code application.properties} would be read by whoever has this jar as a library. */
    static SpringApplicationBuilder builder() {
        return new SpringApplicationBuilder(AgentApplication.class).properties("spring.config.name=carlos-agent");
    }

    public static void main(String[] args) {
        builder().run(args);
    }
}
