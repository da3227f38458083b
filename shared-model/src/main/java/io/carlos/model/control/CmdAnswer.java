package io.carlos.model.control;

import io.carlos.model.names.InvocationId;

/**
 * Where a one-off command is.
 *
 * @param invocationId the invocation that was asked about
 * @param result systemd's {@code Result}; empty unless done
 * @param status the exit status or the signal's number, as {@code code} tells; 0 unless done
 */
public record CmdAnswer(CmdState state, InvocationId invocationId, String result, int status, MainCode code) {
    public static CmdAnswer running(InvocationId invocationId) {
        return new CmdAnswer(CmdState.RUNNING, invocationId, "", 0, MainCode.NONE);
    }

    public static CmdAnswer done(InvocationId invocationId, String result, int status, MainCode code) {
        return new CmdAnswer(CmdState.DONE, invocationId, result, status, code);
    }

    public static CmdAnswer gone(InvocationId invocationId) {
        return new CmdAnswer(CmdState.GONE, invocationId, "", 0, MainCode.NONE);
    }
}
