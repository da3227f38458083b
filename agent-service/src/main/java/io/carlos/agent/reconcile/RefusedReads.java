package io.carlos.agent.reconcile;

import io.carlos.model.names.Account;
import io.carlos.model.records.RecordRef;
import io.carlos.store.ObjectStore;
import io.carlos.store.ReadRefusedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The records of one pass that the store lists and does not give. One of them is that record's own problem as long as the store gives
 * another; when it gives none, nothing was learned of any.
 *
 * <p>Whoever denies records mostly denies all of an account. So an account of which many were refused is not read further while the
 * store has given nothing else, and others are.
 */
final class RefusedReads {
    /** So many of an account, with no record that was given, are no problem of single records of it. */
    static final int MOST_OF_AN_ACCOUNT = 100;

    /** So many, with no record that was given, are no problem of single accounts. */
    static final int MOST_IN_ALL = 1_000;

    /** How many that an earlier pass was given are asked for, to learn whether the store gives any. */
    static final int MOST_ASKED = 10;

    private final ObjectStore store;
    private final Collection<RecordRef> earlier;
    private final Map<RecordRef, ReadRefusedException> refused = new LinkedHashMap<>();
    private final List<RecordRef> unread = new ArrayList<>();
    private final Map<Account, Integer> ofAccount = new HashMap<>();
    private boolean given;

    /** @param earlier records that an earlier pass was given */
    RefusedReads(ObjectStore store, Collection<RecordRef> earlier) {
        this.store = store;
        this.earlier = earlier;
    }

    void given() {
        given = true;
    }

    /** Whether the record may be read; if not, it is refused without. */
    boolean isWorthReading(RecordRef ref) {
        return given || refusalsOf(ref.account()) < MOST_OF_AN_ACCOUNT;
    }

    /** A record that is not {@linkplain #isWorthReading worth reading}. */
    void leaveUnread(RecordRef ref) {
        unread.add(ref);
    }

    List<RecordRef> unread() {
        return unread;
    }

    /** @throws ReadRefusedException the store seems to give none */
    void add(RecordRef ref, ReadRefusedException refusal) {
        refused.put(ref, refusal);
        int sum = ofAccount.merge(ref.account(), 1, Integer::sum);
        if (!given && sum == MOST_OF_AN_ACCOUNT) {
            given = isAnyGiven(earlier);
        }
        if (!given && ofAccount.values().stream().mapToInt(Integer::intValue).sum() >= MOST_IN_ALL) {
            throw refusal;
        }
    }

    /**
     * Those that were refused, while another was given.
     *
     * @param unchanged records that were listed as an earlier pass was given them: some are read if this pass was given none
     * @throws ReadRefusedException the store gives none
     */
    Map<RecordRef, ReadRefusedException> whileOthersAreGiven(Collection<RecordRef> unchanged) {
        if (!given && !refused.isEmpty() && !isAnyGiven(unchanged)) {
            throw refused.values().iterator().next();
        }
        return refused;
    }

    private int refusalsOf(Account account) {
        return ofAccount.getOrDefault(account, 0);
    }

    private boolean isAnyGiven(Collection<RecordRef> known) {
        return sample(known).stream().anyMatch(this::isGiven);
    }

    private boolean isGiven(RecordRef ref) {
        try {
            return store.get(ref.key()).isPresent();
        } catch (ReadRefusedException e) {
            return false;
        }
    }

    /** Of as many accounts as there are, those first of which nothing was refused: one that is denied must not stand for all. */
    private List<RecordRef> sample(Collection<RecordRef> known) {
        Map<RecordRef, Integer> ranks = new LinkedHashMap<>();
        Map<Account, Integer> seen = new HashMap<>();
        for (RecordRef ref : known) {
            if (!refused.containsKey(ref)) {
                ranks.put(ref, seen.merge(ref.account(), 1, Integer::sum));
            }
        }
        return ranks.keySet().stream()
                .sorted(Comparator.comparing((RecordRef ref) -> refusalsOf(ref.account()) > 0)
                        .thenComparing(ref -> ranks.getOrDefault(ref, 0)))
                .limit(MOST_ASKED)
                .toList();
    }
}
