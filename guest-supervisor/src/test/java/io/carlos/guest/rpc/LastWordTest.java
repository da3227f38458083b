package io.carlos.guest.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastWordTest {
    /** Records the statuses it is ended with, and refuses the first ones. */
    private static final class RefusingObserver implements StreamObserver<String> {
        private final List<Status.Code> ends = new ArrayList<>();
        private final int refusals;

        RefusingObserver(int refusals) {
            this.refusals = refusals;
        }

        @Override
        public void onNext(String answer) {
            throw new OutOfMemoryError("made up by the test");
        }

        @Override
        public void onError(Throwable cause) {
            ends.add(Status.fromThrowable(cause).getCode());
            if (ends.size() <= refusals) {
                throw new OutOfMemoryError("made up by the test");
            }
        }

        @Override
        public void onCompleted() {
            ends.add(Status.Code.OK);
        }
    }

    @Test
    void anAnswerThatIsSentIsTheOnlyOne() {
        RefusingObserver response = new RefusingObserver(0);
        LastWord.say(response, response::onCompleted);
        assertThat(response.ends).containsExactly(Status.Code.OK);
    }

    @Test
    void anAnswerThatCannotBeSentIsAnInternalError() {
        RefusingObserver response = new RefusingObserver(0);
        LastWord.say(response, () -> response.onNext("too large"));
        assertThat(response.ends).containsExactly(Status.Code.INTERNAL);
    }

    @Test
    void anErrorThatCannotBeSentCancelsTheCall() {
        RefusingObserver response = new RefusingObserver(1);
        LastWord.say(response, () -> response.onNext("too large"));
        assertThat(response.ends).containsExactly(Status.Code.INTERNAL, Status.Code.CANCELLED);
    }

    @Test
    void aCallThatCannotBeEndedThrowsNothing() {
        RefusingObserver response = new RefusingObserver(2);
        LastWord.say(response, () -> response.onNext("too large"));
        assertThat(response.ends).hasSize(2);
    }
}
