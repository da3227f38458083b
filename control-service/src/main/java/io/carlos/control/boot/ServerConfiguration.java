package io.carlos.control.boot;

import io.carlos.control.metrics.ControlMetrics;
import io.carlos.control.peer.MainProcess;
import io.carlos.control.peer.MainProcessVetting;
import io.carlos.control.peer.UserVetting;
import io.carlos.control.peer.Vetting;
import io.carlos.control.ready.Readiness;
import io.carlos.control.request.Endpoints;
import io.carlos.control.server.Activation;
import io.carlos.control.server.EndpointRoutes;
import io.carlos.control.server.ListenSocket;
import io.carlos.control.server.Listener;
import io.carlos.control.server.OpenRequests;
import io.carlos.control.server.ProblemHandler;
import io.carlos.control.server.ServerLimits;
import io.carlos.control.server.UnixSocketServer;
import io.carlos.control.unit.Unit;
import io.carlos.control.unit.UnitManager;
import io.carlos.control.unit.UnitManagers;
import io.carlos.model.linux.ServiceNotifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.reactive.ReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebExceptionHandler;

/** Who can ask, and where. */
@Configuration(proxyBeanMethods = false)
class ServerConfiguration {
    private static final Logger log = LoggerFactory.getLogger(ServerConfiguration.class);
    private static final String DEVELOPMENT = "dev";

    @Bean
    ReactiveWebServerFactory unixSockets(
            ControlSettings settings,
            UnitManagers systemd,
            ControlMetrics metrics,
            OpenRequests openRequests,
            Environment environment)
            throws IOException {
        Listener control = new Listener(
                controlSocket(settings),
                vetting(settings.peer(), systemd.vetting(), environment),
                metrics::peerRefused,
                false);
        String own = System.getProperty("user.name");
        Listener health = new Listener(
                new ListenSocket.Bound(settings.paths().controlHealthSocket(), own),
                new UserVetting(Users.ownUid()),
                metrics::peerRefused,
                true);
        return handler -> new UnixSocketServer(List.of(control, health), ServerLimits.DEFAULT, handler, openRequests);
    }

    private static ListenSocket controlSocket(ControlSettings settings) {
        Path path = settings.paths().controlSocket();
        OptionalInt adopted =
                Activation.listener(System.getenv(), ProcessHandle.current().pid());
        return adopted.isPresent()
                ? new ListenSocket.Adopted(adopted.getAsInt(), path)
                : new ListenSocket.Bound(path, settings.peer().user());
    }

    private static Vetting vetting(ControlSettings.Peer peer, UnitManager systemd, Environment environment)
            throws IOException {
        int uid = Users.uid(peer.user());
        Optional<String> unit = peer.unitName();
        if (unit.isPresent()) {
            return new MainProcessVetting(uid, new MainProcess(systemd, new Unit(unit.get())), peer.budget());
        }
        if (!environment.acceptsProfiles(Profiles.of(DEVELOPMENT))) {
            throw new IllegalStateException(
                    "carlos.control.peer.unit: expected the unit whose main process is answered,"
                            + " found none; only the profile dev does without");
        }
        log.warn("vet: every process of user {} is answered: profile dev", peer.user());
        return new UserVetting(uid);
    }

    @Bean
    OpenRequests openRequests() {
        return new OpenRequests();
    }

    /** Interrupted only after the server's graceful stop has waited for them. */
    @Bean(destroyMethod = "shutdownNow")
    ExecutorService verbThreads() {
        return Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("verb-", 0).factory());
    }

    @Bean
    RouterFunction<ServerResponse> endpointRoutes(
            Endpoints endpoints, ExecutorService verbThreads, OpenRequests openRequests, ControlMetrics metrics) {
        return new EndpointRoutes(endpoints.all(), openRequests.count(verbThreads), metrics);
    }

    @Bean
    WebExceptionHandler problemHandler() {
        return new ProblemHandler();
    }

    @Bean
    ProbeHealth probeHealthIndicator(Readiness readiness) {
        return new ProbeHealth(readiness);
    }

    @Bean
    ServiceLife serviceLife(Readiness readiness) {
        return new ServiceLife(
                ServiceNotifier.of(System.getenv(), ProcessHandle.current().pid()), readiness);
    }
}
