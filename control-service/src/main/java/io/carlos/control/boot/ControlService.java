package io.carlos.control.boot;

import io.carlos.control.server.Activation;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/** The root service that drives systemd for the agent of a box. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableConfigurationProperties(ControlSettings.class)
@Import({VerbConfiguration.class, ServerConfiguration.class})
public class ControlService {
    /** EX_NOPERM and EX_CONFIG of sysexits(3head). */
    private static final int NO_PERMISSION = 77;

    private static final int MISCONFIGURED = 78;
    private static final String AT_BUILD_TIME = "spring.aot.processing";

    public static void main(String[] args) throws IOException {
        // The build reads the bean definitions as whatever user it runs as, and goes no further.
        if (!Boolean.getBoolean(AT_BUILD_TIME)) {
            checkSurroundings();
        }
        application().run(args);
    }

    private static void checkSurroundings() throws IOException {
        if (Users.ownUid() != 0) {
            refuse(
                    NO_PERMISSION,
                    "it starts and stops units of systemd for the agent of this box and has to be root;"
                            + " carlos-instance-control.socket starts it");
        }
        try {
            Activation.listener(System.getenv(), ProcessHandle.current().pid());
        } catch (IllegalStateException e) {
            refuse(MISCONFIGURED, e.getMessage());
        }
    }

    private static void refuse(int exitStatus, @Nullable String why) {
        System.err.println("carlos control service: " + why);
        System.exit(exitStatus);
    }

    static SpringApplication application() {
        SpringApplication application = new SpringApplication(ControlService.class);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        application.setMainApplicationClass(ControlService.class);
        application.setDefaultProperties(Map.of("spring.profiles.default", "systemd"));
        return application;
    }
}
