package io.carlos.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.fleet.TakeOver;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.Records;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.ReadRefusedException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Passes over a store whose policies give this box only some of the records, or none. */
class RefusedReadsTest {
    private static final Predicate<String> DENIED = key -> key.startsWith("records/denied");

    private final PassWorld world = new PassWorld(20_000, TakeOver.OPERATOR);

    private static InstanceRecord record(String account, int i) {
        Host host = Host.of("h" + i + "." + account + ".example.com");
        return InstanceRecord.created(
                new RecordRef(Account.of(account), App.of("web"), host),
                "slug",
                "r1",
                "stable",
                List.of(),
                Records.CREATED,
                Isolation.PROCESS,
                536870912,
                Map.of());
    }

    private void create(String account, int from, int to) {
        for (int i = from; i < to; i++) {
            world.create(record(account, i));
        }
    }

    @Test
    void a_record_of_an_account_that_is_denied_ends_no_pass_while_others_are_unchanged() throws Exception {
        create("denied", 0, 30);
        create("given", 0, 1);
        world.pass();
        world.store().denyReads(DENIED);
        create("denied", 30, 31);

        assertThat(world.pass().unreadable()).isEqualTo(1);
    }

    @Test
    void records_of_two_accounts_that_are_denied_end_no_pass_while_a_third_is_unchanged() throws Exception {
        create("denied-1", 0, 30);
        create("denied-2", 0, 30);
        create("given", 0, 1);
        world.pass();
        world.store().denyReads(DENIED);
        create("denied-1", 30, 31);

        assertThat(world.pass().unreadable()).isEqualTo(1);
    }

    @Test
    void an_account_that_is_denied_keeps_no_other_from_the_first_pass() throws Exception {
        world.store().denyReads(DENIED);
        create("denied", 0, RefusedReads.MOST_OF_AN_ACCOUNT + 5);
        create("given", 0, 1);

        PassReport report = world.pass();

        assertThat(report.claimed()).isEqualTo(1);
        assertThat(report.unreadable()).isEqualTo(RefusedReads.MOST_OF_AN_ACCOUNT + 5);
        assertThat(report.read()).isEqualTo(RefusedReads.MOST_OF_AN_ACCOUNT + 1);
    }

    @Test
    void an_account_that_is_denied_in_part_is_read_to_its_end_in_the_next_pass() throws Exception {
        create("denied", 0, RefusedReads.MOST_OF_AN_ACCOUNT + 5);
        create("given", 0, 1);
        // The last of them in the listing.
        world.store().denyReads(DENIED.and(key -> !key.contains("/h99.")));
        assertThat(world.pass().claimed()).isEqualTo(1);

        PassReport report = world.pass();

        assertThat(report.claimed()).isEqualTo(1);
        assertThat(report.unreadable()).isEqualTo(RefusedReads.MOST_OF_AN_ACCOUNT + 4);
    }

    @Test
    void a_store_that_gives_no_record_any_more_ends_the_pass_after_a_few_questions() throws Exception {
        create("given", 0, 200);
        world.pass();
        world.store().denyReads(key -> true);
        create("denied", 0, 1);
        int before = world.store().count(Call.GET);

        assertThatThrownBy(world::pass).isInstanceOf(ReadRefusedException.class);

        assertThat(world.store().count(Call.GET) - before).isEqualTo(1 + RefusedReads.MOST_ASKED);
    }

    @Test
    void a_store_that_gives_none_of_many_records_is_not_asked_for_all() {
        world.store().denyReads(key -> true);
        for (int i = 0; i < 30; i++) {
            create("account-" + i, 0, RefusedReads.MOST_OF_AN_ACCOUNT + 1);
        }

        assertThatThrownBy(world::pass).isInstanceOf(ReadRefusedException.class);

        assertThat(world.store().count(Call.GET)).isEqualTo(RefusedReads.MOST_IN_ALL);
    }

    @Test
    void an_account_that_is_denied_as_a_whole_ends_the_pass_if_there_is_no_other() {
        world.store().denyReads(DENIED);
        create("denied", 0, RefusedReads.MOST_OF_AN_ACCOUNT + 5);

        assertThatThrownBy(world::pass).isInstanceOf(ReadRefusedException.class);

        assertThat(world.store().count(Call.GET)).isEqualTo(RefusedReads.MOST_OF_AN_ACCOUNT);
    }
}
