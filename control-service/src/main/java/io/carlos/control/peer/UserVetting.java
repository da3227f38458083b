package io.carlos.control.peer;

import io.carlos.control.peer.Verdict.Admitted;
import io.carlos.control.peer.Verdict.Refusal;
import io.carlos.control.peer.Verdict.Refused;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.PeerCredentials;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Admits every process of one user. */
public final class UserVetting implements Vetting {
    private final int uid;

    public UserVetting(int uid) {
        this.uid = uid;
    }

    @Override
    public CompletionStage<Verdict> vet(int socket) {
        return CompletableFuture.completedFuture(check(socket));
    }

    private Verdict check(int socket) {
        try {
            return check(PeerCredentials.of(socket), uid);
        } catch (LinuxException e) {
            return new Refused(Refusal.UNKNOWN, String.valueOf(e.getMessage()));
        }
    }

    static Verdict check(PeerCredentials peer, int uid) {
        return peer.uid() == uid
                ? new Admitted()
                : new Refused(
                        Refusal.OTHER_USER, "uid " + peer.uid() + ", pid " + peer.pid() + ": expected uid " + uid);
    }
}
