package io.carlos.agent.fleet;

import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoredObject;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Counts what an S3 service bills. */
final class MeteringObjectStore implements ObjectStore {
    private final ObjectStore store;
    private long gets;
    private long puts;
    private long lists;

    MeteringObjectStore(ObjectStore store) {
        this.store = store;
    }

    /**
     * Requests. A delete is free; a conditional read is billed as a read, whether or not something had changed.
     *
     * @param puts dear ones, as lists are
     */
    record Bill(long gets, long puts, long lists) {
        private static final double DOLLARS_A_GET = 0.0004 / 1000;
        private static final double DOLLARS_A_PUT_OR_LIST = 0.005 / 1000;

        Bill minus(Bill earlier) {
            return new Bill(gets - earlier.gets, puts - earlier.puts, lists - earlier.lists);
        }

        /** At the list price of AWS S3 Standard in us-east-1. */
        double dollars() {
            return gets * DOLLARS_A_GET + (puts + lists) * DOLLARS_A_PUT_OR_LIST;
        }

        /** As a row of the table of costs. */
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%d | %d | %d | %.6f", gets, puts, lists, dollars());
        }
    }

    synchronized Bill bill() {
        return new Bill(gets, puts, lists);
    }

    @Override
    public Optional<StoredObject> get(ObjectKey key) {
        count(1, 0, 0);
        return store.get(key);
    }

    @Override
    public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
        count(1, 0, 0);
        return store.getUnlessMatch(key, knownEtag);
    }

    @Override
    public String put(ObjectKey key, byte[] value, Precondition precondition) {
        count(0, 1, 0);
        return store.put(key, value, precondition);
    }

    @Override
    public void delete(ObjectKey key) {
        store.delete(key);
    }

    @Override
    public List<ListedObject> list(String prefix, String startAfter, int limit) {
        count(0, 0, 1);
        return store.list(prefix, startAfter, limit);
    }

    private synchronized void count(int moreGets, int morePuts, int moreLists) {
        gets += moreGets;
        puts += morePuts;
        lists += moreLists;
    }
}
