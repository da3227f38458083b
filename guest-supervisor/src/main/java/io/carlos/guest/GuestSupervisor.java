package io.carlos.guest;

import io.carlos.guest.boot.EndOfService;
import io.carlos.guest.boot.Surroundings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplication.AbandonedRunException;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The program that runs commands inside a tenant's boundary. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableConfigurationProperties(GuestSettings.class)
public class GuestSupervisor {
    private static final String DEVELOPMENT = "development";

    /** As process 1, whatever goes wrong switches the machine off: half a guest must not run. */
    public static void main(String[] args) {
        try {
            application().run(args);
        } catch (AbandonedRunException e) {
            // The build reads the bean definitions and goes no further.
            throw e;
        } catch (RuntimeException | Error e) {
            if (ProcessHandle.current().pid() != 1) {
                throw e;
            }
            LoggerFactory.getLogger(GuestSupervisor.class).error("boot: failed; the machine is switched off", e);
            System.err.println(bootFailure(e));
            EndOfService.MACHINE.end();
        }
    }

    /** The last line on the console, which is what the host shows first; the guest's init has lines like it. */
    static String bootFailure(Throwable failure) {
        Throwable reason = failure;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        return "carlos-guest: boot: " + Optional.ofNullable(reason.getMessage()).orElseGet(reason::toString);
    }

    /**
     * Settings come from the command line, system properties and the environment. The files and logging systems that
     * Spring Boot would look for besides are left out: they cost a part of every start.
     */
    static SpringApplication application() {
        SpringApplication application = new SpringApplication(GuestSupervisor.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setKeepAlive(true);
        application.setListeners(List.of());
        application.setLogStartupInfo(false);
        application.setMainApplicationClass(GuestSupervisor.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application;
    }

    @Bean
    Surroundings surroundings(GuestSettings settings) throws IOException {
        String version = Optional.ofNullable(GuestSupervisor.class.getPackage().getImplementationVersion())
                .orElse(DEVELOPMENT);
        Surroundings surroundings = Surroundings.of(settings, version);
        if (surroundings.end() == EndOfService.MACHINE) {
            // Also at an exit that nobody planned, once everything is stopped.
            SpringApplication.getShutdownHandlers().add(EndOfService.MACHINE::end);
        }
        return surroundings;
    }

    @Bean
    Supervisor supervisor(Surroundings surroundings, GuestSettings settings) {
        return new Supervisor(surroundings, settings.stopGrace());
    }
}
