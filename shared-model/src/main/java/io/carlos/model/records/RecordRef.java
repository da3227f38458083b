package io.carlos.model.records;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvalidNameException;
import io.carlos.store.ObjectKey;
import java.util.Optional;

/** Which record: the account, the app and the host it is about. */
public record RecordRef(Account account, App app, Host host) {
    /** What the key of every record begins with. */
    public static final String PREFIX = "records/";

    private static final String SUFFIX = ".json";
    private static final int MAX_HOST_LENGTH = ObjectKey.MAX_SEGMENT_BYTES - SUFFIX.length();

    /** @throws InvalidNameException when the host is too long for the segment of a key: 250 characters are the most */
    public RecordRef {
        if (host.value().length() > MAX_HOST_LENGTH) {
            throw new InvalidNameException(
                    "a host that can have a record", host.value(), "it is over " + MAX_HOST_LENGTH + " characters");
        }
    }

    /** {@code records/<account>/<app>/<host>.json}. */
    public ObjectKey key() {
        return ObjectKey.of(PREFIX + account + "/" + app + "/" + host + SUFFIX);
    }

    /** The inverse of {@link #key}; empty when the key is not a record's. */
    public static Optional<RecordRef> parse(ObjectKey key) {
        String[] segments = key.value().split("/", -1);
        if (segments.length != 4 || !key.value().startsWith(PREFIX) || !segments[3].endsWith(SUFFIX)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RecordRef(
                    Account.of(segments[1]),
                    App.of(segments[2]),
                    Host.of(segments[3].substring(0, segments[3].length() - SUFFIX.length()))));
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return account + "/" + app + "/" + host;
    }
}
