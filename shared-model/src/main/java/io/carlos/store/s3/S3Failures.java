package io.carlos.store.s3;

import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.ObjectKey;
import io.carlos.store.ReadRefusedException;
import io.carlos.store.StoreException;
import io.carlos.store.StoreUnavailableException;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What a failed request means for the store's callers. */
final class S3Failures {
    /** The first is AWS's name, the second Ceph's. */
    private static final Set<String> RACES = Set.of("ConditionalRequestConflict", "ConcurrentModification");

    private S3Failures() {}

    static boolean isStatus(SdkException failure, int status) {
        return failure instanceof S3Exception answer && answer.statusCode() == status;
    }

    /** There is no such object; a bucket that is not there is another matter. */
    static boolean isAbsence(SdkException failure) {
        return isStatus(failure, 404) && !code(failure).equals("NoSuchBucket");
    }

    /** Another write of the key was under way: nothing was written, and it is not yet known who has won. */
    static boolean isRace(SdkException failure) {
        return isStatus(failure, 409) && RACES.contains(code(failure));
    }

    static StoreException ofRead(String call, SdkException failure) {
        return new StoreUnavailableException(message(call, failure), failure);
    }

    /** Of a read of one object: that it is refused says nothing of others, unlike a request that is refused as a whole. */
    static StoreException ofGet(ObjectKey key, SdkException failure) {
        String call = "get " + key;
        return isStatus(failure, 403) && code(failure).equals("AccessDenied")
                ? new ReadRefusedException(message(call, failure), failure)
                : ofRead(call, failure);
    }

    /** A server error may have come after the write; any other refusal is one before it. */
    static StoreException ofWrite(String call, SdkException failure, SendProgress progress) {
        boolean unknown = failure instanceof S3Exception answer
                ? answer.statusCode() >= 500 || answer.statusCode() < 300
                : progress.mayHaveArrived(failure);
        return unknown
                ? new AmbiguousWriteException(message(call, failure) + "; it is not known whether it was done", failure)
                : new StoreUnavailableException(message(call, failure), failure);
    }

    private static String message(String call, SdkException failure) {
        if (!(failure instanceof S3Exception answer)) {
            return call + ": no answer: " + failure.getMessage();
        }
        return call + ": status " + answer.statusCode() + " " + code(failure) + ": " + detail(answer);
    }

    private static String detail(S3Exception answer) {
        AwsErrorDetails details = answer.awsErrorDetails();
        String text = details == null ? null : details.errorMessage();
        return text == null ? "no reason given" : text;
    }

    private static String code(SdkException failure) {
        AwsErrorDetails details = failure instanceof S3Exception answer ? answer.awsErrorDetails() : null;
        String code = details == null ? null : details.errorCode();
        return code == null ? "" : code;
    }
}
