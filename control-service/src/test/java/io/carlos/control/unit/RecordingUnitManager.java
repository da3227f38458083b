package io.carlos.control.unit;

import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.SliceName;
import io.carlos.model.names.UnitName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Records each call as the arguments that systemctl would get, and answers from what the test says systemd shows. What a
 * call changes, or how it fails, the test says too.
 */
public final class RecordingUnitManager implements UnitManager {
    private final List<String> calls = new ArrayList<>();
    private final Map<String, Effect> effects = new ConcurrentHashMap<>();
    private final Map<String, Deque<Map<UnitProperty, String>>> shown = new HashMap<>();
    private final Map<UnitName, String> loaded = new ConcurrentHashMap<>();
    private final Set<UnitName> jobs = ConcurrentHashMap.newKeySet();

    /** What happens during a call. */
    @FunctionalInterface
    public interface Effect {
        void happen() throws SystemdException, InterruptedException;
    }

    /** The calls so far, such as {@code start carlos-edge.service}. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    public synchronized long count(String call) {
        return calls.stream().filter(call::equals).count();
    }

    /** Has something happen during each of these calls. */
    public RecordingUnitManager when(String call, Effect effect) {
        effects.put(call, effect);
        return this;
    }

    /** Has these calls refused with systemd's words. */
    public RecordingUnitManager refuse(String call, String words) {
        return when(call, () -> {
            throw new SystemdException("systemctl " + call + ": exit status 1: " + words);
        });
    }

    /** What systemd shows of the unit from the next look on; given several times, each for one look, the last for ever. */
    public synchronized RecordingUnitManager shows(UnitName unit, Map<UnitProperty, String> properties) {
        shown.computeIfAbsent(unit.value(), any -> new ArrayDeque<>()).add(properties);
        return this;
    }

    /** As {@link #shows}, but what was said before is forgotten. */
    public synchronized RecordingUnitManager showsNow(String unit, Map<UnitProperty, String> properties) {
        shown.put(unit, new ArrayDeque<>(List.of(properties)));
        return this;
    }

    public RecordingUnitManager loaded(UnitName unit, String activeState) {
        loaded.put(unit, activeState);
        return this;
    }

    public RecordingUnitManager job(UnitName unit) {
        jobs.add(unit);
        return this;
    }

    private void record(List<String> arguments) throws SystemdException, InterruptedException {
        String call = String.join(" ", arguments);
        synchronized (this) {
            calls.add(call);
        }
        effects.getOrDefault(call, () -> {}).happen();
    }

    private synchronized Map<UnitProperty, String> look(Unit unit) {
        Deque<Map<UnitProperty, String>> looks = shown.get(unit.name());
        if (looks == null) {
            return Map.of();
        }
        return looks.size() > 1 ? looks.remove() : looks.element();
    }

    @Override
    public void setMemory(SliceName slice, MemoryTier tier) throws SystemdException, InterruptedException {
        record(SystemctlArguments.setMemory(slice, tier));
    }

    @Override
    public void start(Unit unit) throws SystemdException, InterruptedException {
        record(SystemctlArguments.start(unit));
    }

    @Override
    public void startInBackground(Unit unit) throws SystemdException, InterruptedException {
        record(SystemctlArguments.startInBackground(unit));
    }

    @Override
    public Optional<InvocationId> invocation(Unit unit) throws SystemdException, InterruptedException {
        record(SystemctlArguments.invocation(unit));
        return new UnitStatus(look(unit)).invocation();
    }

    @Override
    public UnitStatus show(Unit unit, List<UnitProperty> properties) throws SystemdException, InterruptedException {
        record(SystemctlArguments.show(unit, properties));
        return new UnitStatus(look(unit));
    }

    @Override
    public void terminateMain(Unit unit) throws SystemdException, InterruptedException {
        record(SystemctlArguments.terminateMain(unit));
    }

    @Override
    public void stop(Unit unit) throws SystemdException, InterruptedException {
        record(SystemctlArguments.stop(unit));
    }

    @Override
    public void resetFailed(Unit unit) throws SystemdException, InterruptedException {
        record(SystemctlArguments.resetFailed(unit));
    }

    @Override
    public List<LoadedUnit> instances() throws SystemdException, InterruptedException {
        record(SystemctlArguments.instances());
        return loaded.entrySet().stream()
                .map(entry -> new LoadedUnit(entry.getKey(), entry.getValue()))
                .collect(Collectors.toList());
    }

    @Override
    public Set<UnitName> unitsWithJobs() throws SystemdException, InterruptedException {
        record(SystemctlArguments.jobs());
        return Set.copyOf(jobs);
    }
}
