package io.carlos.guest.rpc;

import io.carlos.guest.exec.ExecCommand;
import io.carlos.guest.exec.ExecRefusedException;
import io.carlos.guest.exec.Execution;
import io.carlos.guest.exec.Executions;
import io.carlos.guest.state.GuestLifecycle;
import io.carlos.guest.state.Provision;
import io.carlos.guest.state.WrongStateException;
import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.StartExec;
import io.grpc.Status;
import io.grpc.StatusException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The only way to a start: it leads through the state of the guest. */
final class ExecGate {
    private static final Logger log = LoggerFactory.getLogger(ExecGate.class);

    private static final String DEFAULT_WORKING_DIRECTORY = "/";

    private final GuestLifecycle lifecycle;
    private final Executions executions;

    ExecGate(GuestLifecycle lifecycle, Executions executions) {
        this.lifecycle = lifecycle;
        this.executions = executions;
    }

    Execution start(ExecRequest request) throws StatusException {
        return start(
                request.getCommandList(),
                request.hasUid() ? Optional.of(request.getUid()) : Optional.empty(),
                request.getEnvMap(),
                request.hasWorkdir() ? request.getWorkdir() : DEFAULT_WORKING_DIRECTORY);
    }

    Execution start(StartExec request) throws StatusException {
        return start(
                request.getCommandList(),
                request.hasUid() ? Optional.of(request.getUid()) : Optional.empty(),
                request.getEnvMap(),
                request.hasWorkdir() ? request.getWorkdir() : DEFAULT_WORKING_DIRECTORY);
    }

    private Execution start(
            List<String> command, Optional<Integer> uid, Map<String, String> environment, String workingDirectory)
            throws StatusException {
        try {
            Provision provision = lifecycle.provisioned();
            return executions.start(ExecCommand.of(
                    command,
                    uid.orElse(provision.defaultUid()),
                    provision.baseEnvironment(),
                    environment,
                    workingDirectory));
        } catch (WrongStateException e) {
            throw Statuses.of(e).asException();
        } catch (ExecRefusedException e) {
            throw Statuses.of(e).asException();
        } catch (RuntimeException e) {
            log.error("exec: a command could not be started", e);
            throw Statuses.internal("the command could not be started", e).asException();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Status.UNAVAILABLE.withDescription("the guest is stopping").asException();
        }
    }
}
