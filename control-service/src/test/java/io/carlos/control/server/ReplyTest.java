package io.carlos.control.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.control.ready.NotReadyException;
import io.carlos.control.request.BadRequestException;
import io.carlos.control.request.Endpoint;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.verb.BusyException;
import io.carlos.control.verb.Deadline;
import io.carlos.control.verb.Starts;
import io.carlos.control.verb.StillLoadedException;
import io.carlos.control.verb.UnfinishedException;
import io.carlos.control.verb.UnsweptException;
import io.carlos.model.control.NotReady;
import io.carlos.model.control.Problem;
import io.carlos.model.control.StartAnswer;
import io.carlos.model.control.Unswept;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReplyTest {
    private static Reply reply(Endpoint.Action action) {
        return Reply.of(new Endpoint("test", Endpoint.Method.POST, "/test", true, List.of(), action), null, List.of());
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new BadRequestException("which"), 400, "bad_request"),
                Arguments.of(new BusyException("which"), 409, "busy"),
                Arguments.of(new SystemdException("which"), 502, "refused"),
                Arguments.of(new UnfinishedException("which"), 502, "unfinished"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void everyFailureIsAProblemThatTellsWhy(Exception failure, int status, String outcome) {
        Reply reply = reply(query -> {
            throw ReplyTest.<RuntimeException>sneaky(failure);
        });

        assertThat(reply.outcome()).isEqualTo(outcome);
        assertThat(reply.status().value()).isEqualTo(status);
        assertThat(reply.type()).hasToString(Problem.MEDIA_TYPE);
        Problem problem = CarlosJson.read("answer", reply.body(), Problem.class);
        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.detail()).isEqualTo("which");
    }

    /** Throws any of them as the one that the compiler lets through. */
    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException sneaky(Exception failure) throws E {
        throw (E) failure;
    }

    @Test
    void aSweepNamesWhatItLeft() {
        Host host = Host.of("a.example.com");
        UnitName run = UnitName.of(Role.RUN, host);
        UnitName cmd = UnitName.of(Role.CMD, host);

        Reply reply = reply(query -> {
            throw new UnsweptException("which", Set.of(run, cmd));
        });

        assertThat(reply.status().value()).isEqualTo(502);
        assertThat(reply.outcome()).isEqualTo("unfinished");
        Unswept unswept = CarlosJson.read("answer", reply.body(), Unswept.class);
        assertThat(unswept.type()).isEqualTo(Problem.UNSWEPT);
        assertThat(unswept.detail()).isEqualTo("which");
        assertThat(unswept.units()).containsExactly(cmd.value(), run.value());
    }

    /** Failed starts are made by the verbs alone. */
    private static Reply failedStart(Starts starts) {
        UnitName unit = UnitName.of(Role.RUN, Host.of("a.example.com"));
        return reply(query -> starts.inTurn(unit, Deadline.NONE, () -> unit, any -> {
            throw new SystemdException("which");
        }));
    }

    @Test
    void aFailedStartTellsWhetherAnythingMayRun() {
        Reply undone = failedStart(new Starts(() -> {}, unit -> {}));
        Reply stuck = failedStart(new Starts(() -> {}, unit -> {
            throw new UnfinishedException("processes remain");
        }));

        assertThat(undone.status().value()).isEqualTo(502);
        assertThat(undone.outcome()).isEqualTo("not_started");
        assertThat(CarlosJson.read("answer", undone.body(), Problem.class).type())
                .isEqualTo(Problem.NOTHING_RUNS);
        assertThat(stuck.status().value()).isEqualTo(502);
        assertThat(stuck.outcome()).isEqualTo("may_run");
        assertThat(CarlosJson.read("answer", stuck.body(), Problem.class).type())
                .isEqualTo(Problem.MAY_RUN);
    }

    @Test
    void aStartThatWasStoppedMeanwhileIsNoRefusalThatDidNothing() {
        UnitName unit = UnitName.of(Role.CMD, Host.of("a.example.com"));
        Starts starts = new Starts(() -> {}, any -> {});

        Reply reply = reply(query -> starts.inTurn(unit, Deadline.NONE, () -> unit, any -> {
            starts.withdraw(unit);
            return unit;
        }));

        assertThat(reply.status().value()).isEqualTo(409);
        assertThat(reply.outcome()).isEqualTo("stopped");
        assertThat(CarlosJson.read("answer", reply.body(), Problem.class).type())
                .isEqualTo(Problem.STOPPED);
    }

    @Test
    void aUnitThatIsStillLoadedIsTheOnlyRefusalOfItsType() {
        Reply loaded = reply(query -> {
            throw new StillLoadedException("which");
        });
        Reply busy = reply(query -> {
            throw new BusyException("which");
        });

        assertThat(loaded.status().value()).isEqualTo(409);
        assertThat(CarlosJson.read("answer", loaded.body(), Problem.class).type())
                .isEqualTo(Problem.STILL_LOADED);
        assertThat(CarlosJson.read("answer", busy.body(), Problem.class).type()).isEqualTo(Problem.NO_TYPE);
    }

    @Test
    void aStartThatCameTooLateHasATypeOfItsOwn() {
        UnitName unit = UnitName.of(Role.CMD, Host.of("a.example.com"));
        Starts starts = new Starts(() -> {}, any -> {});

        Reply reply = reply(query -> starts.inTurn(unit, () -> true, () -> unit, any -> unit));

        assertThat(reply.status().value()).isEqualTo(409);
        assertThat(reply.outcome()).isEqualTo("expired");
        assertThat(CarlosJson.read("answer", reply.body(), Problem.class).type())
                .isEqualTo(Problem.EXPIRED);
    }

    @Test
    void aBoxThatIsNotReadyIsAProblemWithTheProbesLines() {
        ProbeReport report = ProbeReport.notReady("no probe");

        Reply reply = reply(query -> {
            throw new NotReadyException(report);
        });

        assertThat(reply.status().value()).isEqualTo(503);
        NotReady problem = CarlosJson.read("answer", reply.body(), NotReady.class);
        assertThat(problem.report()).isEqualTo(report);
    }

    @Test
    void aValueIsJsonAndNothingIsNoContent() {
        InvocationId invocation = InvocationId.of("0123456789abcdef0123456789abcdef");

        assertThat(new String(reply(query -> new StartAnswer(invocation)).body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"invocation_id\":\"0123456789abcdef0123456789abcdef\"}");
        Reply nothing = reply(query -> null);
        assertThat(nothing.status().value()).isEqualTo(204);
        assertThat(nothing.body()).isEmpty();
    }

    @Test
    void systemdsWordsAreOnOneLine() {
        Reply reply = reply(query -> {
            throw new SystemdException("first\nsecond\u0007");
        });

        assertThat(CarlosJson.read("answer", reply.body(), Problem.class).detail())
                .isEqualTo("first second ");
    }
}
