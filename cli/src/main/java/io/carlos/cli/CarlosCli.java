package io.carlos.cli;

import io.carlos.cli.argv.CommandLine;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.ProcessConsole;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplication.AbandonedRunException;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

/** The command line of Carlos. */
@SpringBootConfiguration(proxyBeanMethods = false)
@ComponentScan
public class CarlosCli {
    private static final String VERBOSE = "--verbose";
    private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

    public static void main(String[] args) {
        boolean verbose = Stream.of(args).takeWhile(word -> !word.equals("--")).anyMatch(VERBOSE::equals);
        // Read when the first logger is made, which is before any word of the command line is understood.
        System.setProperty(LOG_LEVEL, verbose ? "warn" : "off");
        System.exit(run(args, verbose));
    }

    private static int run(String[] args, boolean verbose) {
        try {
            return SpringApplication.exit(application().run(args));
        } catch (AbandonedRunException e) {
            // The build reads the bean definitions and goes no further.
            throw e;
        } catch (RuntimeException e) {
            return CommandLine.report(e, verbose, new ProcessConsole(System.getenv()));
        }
    }

    /**
     * What Spring Boot would look for besides is left out: it costs half of the start, and the {@code application.properties} of the directory
     * where an operator happens to stand, or a {@code SPRING_…} variable, must not change what carlos does.
     */
    static SpringApplication application() {
        SpringApplication application = new SpringApplication(CarlosCli.class);
        application.setAddCommandLineProperties(false);
        application.setBannerMode(Banner.Mode.OFF);
        application.setEnvironment(new ClosedEnvironment());
        application.setLazyInitialization(true);
        application.setListeners(List.of());
        application.setLogStartupInfo(false);
        application.setMainApplicationClass(CarlosCli.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application;
    }

    @Bean
    static Console console() {
        return new ProcessConsole(System.getenv());
    }

    /** Has no property of the system or its environment variables. */
    private static final class ClosedEnvironment extends StandardEnvironment {
        @Override
        protected void customizePropertySources(MutablePropertySources sources) {}
    }
}
