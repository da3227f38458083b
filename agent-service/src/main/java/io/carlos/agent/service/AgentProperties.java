package io.carlos.agent.service;

import io.carlos.agent.AgentSettings;
import io.carlos.agent.fleet.TakeOver;
import io.carlos.agent.runs.RunsSettings;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.fleet.FleetTimes;
import io.carlos.model.records.Isolation;
import io.carlos.store.InvalidKeyException;
import io.carlos.store.ObjectKey;
import io.carlos.store.location.StoreLocation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an operator sets, below {@code carlos.agent}.
 *
 * @param store a directory, or a bucket: see {@link StoreLocation}
 * @param box the box's name among those of the store; this machine's host name when it is not set
 * @param region the region whose records are in scope
 * @param pools the pools whose records are in scope, beside records without any
 * @param data the directory of the instances' data
 * @param run the directory of sockets, those of the instances and the agent's own
 * @param isolations the backends that this box gives
 * @param maxInstances how many instances it takes at a time
 * @param takeOver what it does about the instances of a box of its region that is lost
 * @param lostAfter see {@link FleetTimes}
 * @param passInterval see {@link AgentSettings}
 * @param lookInterval see {@link AgentSettings}
 * @param stopBound see {@link AgentSettings}
 * @param stopGrace see {@link RunsSettings}
 * @param maxExecutions see {@link RunsSettings}
 * @param maxStagings see {@link RunsSettings}
 * @param actuatorAddress where health and metrics are served beside the agent's socket, to whoever reaches it; nowhere when null
 */
@ConfigurationProperties(AgentProperties.PREFIX)
public record AgentProperties(
        StoreLocation store,
        String box,
        String region,
        @DefaultValue List<String> pools,
        @DefaultValue("/data") Path data,
        @DefaultValue("/run/carlos") Path run,
        @DefaultValue("unit") Set<Isolation> isolations,
        @DefaultValue("500") int maxInstances,
        @DefaultValue("operator") TakeOver takeOver,
        @DefaultValue("5m") Duration lostAfter,
        @DefaultValue("60s") Duration passInterval,
        @DefaultValue("1s") Duration lookInterval,
        @DefaultValue("45s") Duration stopBound,
        @DefaultValue("20s") Duration stopGrace,
        @DefaultValue("64") int maxExecutions,
        @DefaultValue("8") int maxStagings,
        @Nullable ListenAddress actuatorAddress) {
    static final String PREFIX = "carlos.agent";

    public AgentProperties {
        required(
                "store",
                store == null ? null : store.toString(),
                "a directory, or a bucket as s3://BUCKET?region=REGION");
        box = box == null || box.isBlank() ? HostName.read() : box;
        required("region", region, "the region of this box");
        segment("box", box);
        segment("region", region);
        positive("pass-interval", passInterval);
        positive("look-interval", lookInterval);
        positive("stop-bound", stopBound);
        positive("stop-grace", stopGrace);
        positive("max-executions", maxExecutions);
        positive("max-stagings", maxStagings);
        if (stopGrace.compareTo(stopBound) >= 0) {
            throw new IllegalArgumentException(PREFIX + ".stop-grace is " + stopGrace + " and " + PREFIX
                    + ".stop-bound " + stopBound + ": set a bound that is longer, or no run could end within it");
        }
        if (maxInstances < 1) {
            throw new IllegalArgumentException(PREFIX + ".max-instances is " + maxInstances + ": set it to 1 or more");
        }
        if (lostAfter.compareTo(FleetTimes.LEAST) < 0 || lostAfter.compareTo(FleetTimes.MOST) > 0) {
            throw new IllegalArgumentException(PREFIX + ".lost-after is " + lostAfter + ": set it to "
                    + FleetTimes.LEAST + " or more, and " + FleetTimes.MOST + " or less");
        }
        data = data.toAbsolutePath().normalize();
        run = run.toAbsolutePath().normalize();
        isolations = Set.copyOf(isolations);
        pools = List.copyOf(pools);
    }

    BoxPaths paths() {
        return BoxPaths.DEFAULT.withData(data).withRun(run);
    }

    FleetTimes fleetTimes() {
        return new FleetTimes(lostAfter);
    }

    AgentSettings settings() {
        RunsSettings runs = RunsSettings.DEFAULTS;
        return new AgentSettings(
                passInterval,
                lookInterval,
                stopBound,
                new RunsSettings(stopGrace, runs.recordLook(), runs.endAllowance(), maxExecutions, maxStagings));
    }

    private static void required(String name, @Nullable String value, String what) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(PREFIX + "." + name + " is not set: set it to " + what);
        }
    }

    /** It is part of keys. */
    private static void segment(String name, String value) {
        try {
            ObjectKey.segment(value);
        } catch (InvalidKeyException e) {
            throw new IllegalArgumentException(
                    PREFIX + "." + name + " is " + value + ": set it to letters, digits, '.', '_' and '-'", e);
        }
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(PREFIX + "." + name + " is " + value + ": set a number above zero");
        }
    }

    private static void positive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(PREFIX + "." + name + " is " + value + ": set a time above zero");
        }
    }
}
