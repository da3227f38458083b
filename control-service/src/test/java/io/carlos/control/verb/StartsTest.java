package io.carlos.control.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.testing.Await;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.verb.FailedStartException.Remains;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StartsTest {
    private static final UnitName RUN = UnitName.of(Role.RUN, Host.of("a.example.com"));
    private static final UnitName SEED = UnitName.of(Role.SEED, Host.of("a.example.com"));
    private static final UnitName OTHER_HOST = UnitName.of(Role.RUN, Host.of("b.example.com"));

    private final List<UnitName> undone = new CopyOnWriteArrayList<>();
    private final Starts starts = new Starts(() -> {}, undone::add);
    private final List<UnitName> begun = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);

    private FutureTask<UnitName> startThatHangs(UnitName unit) throws Exception {
        FutureTask<UnitName> start = new FutureTask<>(() -> starts.inTurn(unit, Deadline.NONE, () -> unit, any -> {
            begun.add(unit);
            end.await();
            return unit;
        }));
        Thread.ofVirtual().start(start);
        return start;
    }

    private UnitName start(UnitName unit) throws Exception {
        return starts.inTurn(unit, Deadline.NONE, () -> unit, any -> any);
    }

    @Test
    void theSameUnitIsRefusedWhileItIsBeingStarted() throws Exception {
        FutureTask<UnitName> first = startThatHangs(RUN);
        Await.until("the first start", () -> begun.contains(RUN));

        assertThatThrownBy(() -> starts.inTurn(RUN, Deadline.NONE, () -> RUN, any -> RUN))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining(RUN.value());

        end.countDown();
        first.get();
        assertThat(start(RUN)).isEqualTo(RUN);
    }

    @Test
    void anotherRoleOfTheHostWaitsForItsTurn() throws Exception {
        FutureTask<UnitName> first = startThatHangs(SEED);
        Await.until("the first start", () -> begun.contains(SEED));
        FutureTask<UnitName> second = startThatHangs(RUN);
        FutureTask<UnitName> elsewhere = startThatHangs(OTHER_HOST);

        Await.until("the other host's start", () -> begun.contains(OTHER_HOST));
        assertThat(begun).doesNotContain(RUN);

        end.countDown();
        first.get();
        second.get();
        elsewhere.get();
        assertThat(begun).contains(RUN);
    }

    @Test
    void aUnitThatWaitsForItsTurnIsRefusedToo() throws Exception {
        FutureTask<UnitName> first = startThatHangs(SEED);
        Await.until("the first start", () -> begun.contains(SEED));
        // Whichever of the two waits, the other is refused.
        FutureTask<UnitName> second = startThatHangs(RUN);
        FutureTask<UnitName> third = startThatHangs(RUN);

        Await.until("a refusal", () -> second.isDone() || third.isDone());

        end.countDown();
        first.get();
        assertThat(begun).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aFailedStartLeavesTheUnitFree() throws Exception {
        assertThatThrownBy(() -> starts.inTurn(RUN, Deadline.NONE, () -> RUN, any -> {
                    throw new IllegalStateException("planned");
                }))
                .hasMessage("planned");

        assertThat(start(RUN)).isEqualTo(RUN);
    }

    @Test
    void aStartThatWasStoppedWhileItWaitedNeverBegins() throws Exception {
        FutureTask<UnitName> first = startThatHangs(SEED);
        Await.until("the first start", () -> begun.contains(SEED));
        FutureTask<UnitName> waiting = startThatHangs(RUN);
        Await.until("the second waits", () -> starts.isPending(RUN));

        starts.withdraw(RUN);
        end.countDown();

        assertThat(first.get()).isEqualTo(SEED);
        assertThatThrownBy(waiting::get).satisfies(StartsTest::assertSaysStopped);
        assertThat(begun).containsExactly(SEED);
        assertThat(undone).isEmpty();
    }

    @Test
    void aStartThatWasStoppedWhileItWentOnIsUndone() throws Exception {
        FutureTask<UnitName> start = startThatHangs(RUN);
        Await.until("the start", () -> begun.contains(RUN));

        starts.withdrawAll();
        end.countDown();

        assertThatThrownBy(start::get).satisfies(StartsTest::assertSaysStopped);
        assertThat(undone).containsExactly(RUN);
        assertThat(start(RUN)).isEqualTo(RUN);
    }

    /** And not that it is busy, which would say that nothing of it was executed. */
    private static void assertSaysStopped(Throwable failure) {
        assertThat(failure)
                .cause()
                .isInstanceOfSatisfying(
                        FailedStartException.class,
                        e -> assertThat(e.remains()).isEqualTo(Remains.NOTHING_AFTER_A_STOP))
                .hasMessageContaining("stopped");
    }

    @Test
    void aStartThatFailsIsUndoneBeforeItIsTold() {
        assertThatThrownBy(() -> starts.inTurn(RUN, Deadline.NONE, () -> RUN, any -> {
                    throw new SystemdException("no answer");
                }))
                .isInstanceOfSatisfying(
                        FailedStartException.class, e -> assertThat(e.remains()).isEqualTo(Remains.NOTHING))
                .hasMessageContaining("no answer");
        assertThat(undone).containsExactly(RUN);
    }

    @Test
    void aPreparationThatFailsHasNothingToUndo() {
        assertThatThrownBy(() -> starts.inTurn(
                        RUN,
                        Deadline.NONE,
                        () -> {
                            throw new SystemdException("refused");
                        },
                        any -> RUN))
                .isInstanceOfSatisfying(
                        FailedStartException.class, e -> assertThat(e.remains()).isEqualTo(Remains.NOTHING));
        assertThat(undone).isEmpty();
    }

    @Test
    void aStartThatCannotBeUndoneMayRun() {
        Starts stuck = new Starts(() -> {}, unit -> {
            throw new UnfinishedException("processes remain");
        });

        assertThatThrownBy(() -> stuck.inTurn(RUN, Deadline.NONE, () -> RUN, any -> {
                    throw new SystemdException("no answer");
                }))
                .isInstanceOfSatisfying(
                        FailedStartException.class, e -> assertThat(e.remains()).isEqualTo(Remains.PERHAPS_ALL))
                .hasMessageContaining("no answer")
                .hasMessageContaining("processes remain");
    }

    @Test
    void aStartThatIsTooLateWhenItsTurnComesNeverBegins() throws Exception {
        FutureTask<UnitName> first = startThatHangs(SEED);
        Await.until("the first start", () -> begun.contains(SEED));
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<UnitName> waiting = new FutureTask<>(() -> starts.inTurn(RUN, over::get, () -> RUN, unit -> {
            begun.add(unit);
            return unit;
        }));
        Thread.ofVirtual().start(waiting);
        Await.until("the second waits", () -> starts.isPending(RUN));

        over.set(true);
        end.countDown();

        first.get();
        assertThatThrownBy(waiting::get)
                .hasCauseInstanceOf(ExpiredException.class)
                .hasMessageContaining(RUN.value());
        assertThat(begun).containsExactly(SEED);
        assertThat(undone).isEmpty();
        assertThat(start(RUN)).isEqualTo(RUN);
    }

    @Test
    void aStartThatIsTooLateOnceItIsPreparedNeverBegins() {
        AtomicBoolean over = new AtomicBoolean();

        assertThatThrownBy(() -> starts.inTurn(
                        RUN,
                        over::get,
                        () -> {
                            over.set(true);
                            return RUN;
                        },
                        () -> begun.add(RUN),
                        any -> begun.add(RUN)))
                .isInstanceOf(ExpiredException.class);
        assertThat(begun).isEmpty();
    }

    @Test
    void aStopWaitsForTheBeginningOfAStartSoThatItFindsWhatIsBegun() throws Exception {
        FutureTask<UnitName> start = new FutureTask<>(() -> starts.inTurn(
                RUN,
                Deadline.NONE,
                () -> RUN,
                () -> {
                    begun.add(RUN);
                    end.await();
                },
                any -> RUN));
        Thread.ofVirtual().start(start);
        Await.until("the beginning", () -> begun.contains(RUN));
        FutureTask<Long> stop = new FutureTask<>(() -> {
            starts.withdraw(RUN);
            return end.getCount();
        });
        Thread stopping = Thread.ofPlatform().start(stop);
        Await.until("the stop", () -> stopping.getState() == Thread.State.WAITING || stop.isDone());

        starts.withdraw(OTHER_HOST);
        end.countDown();

        assertThat(stop.get()).as("what is left of the beginning").isZero();
    }
}
