package io.carlos.agent.service.admin;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.names.Role;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Profile;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import tools.jackson.databind.json.JsonMapper;

/** The admin API of a box. */
@Configuration(proxyBeanMethods = false)
@Profile("box")
@Import({BoxEndpoints.class, InstanceEndpoints.class, AdminErrors.class})
public class AdminConfiguration {
    @Bean
    AdminSocket adminSocket(BoxPaths paths) {
        return new AdminSocket(paths.agentSocket(), AdminSocket.operators());
    }

    /** Roles have names of their own on the wire. */
    @Bean
    WebFluxConfigurer roleNames() {
        return new WebFluxConfigurer() {
            @Override
            public void addFormatters(FormatterRegistry registry) {
                registry.addConverter(String.class, Role.class, Role::of);
            }
        };
    }

    @Bean
    JsonMapper jsonMapper() {
        return CarlosJson.mapper();
    }
}
