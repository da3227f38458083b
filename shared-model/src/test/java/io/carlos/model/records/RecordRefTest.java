package io.carlos.model.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvalidNameException;
import io.carlos.store.ObjectKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordRefTest {
    private static final String LABELS = ("a".repeat(63) + ".").repeat(3);
    private static final Host LONGEST = Host.of(LABELS + "b".repeat(58));

    @Test
    void the_key_names_account_app_and_host() {
        assertThat(ref("bill-2.example.com").key().value()).isEqualTo("records/acme/web/bill-2.example.com.json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "bill.example.com", "json.json", "a.json.json", "x--y.example.com"})
    void a_records_key_is_parsed_to_what_it_was_made_of(String host) {
        assertThat(RecordRef.parse(ref(host).key())).contains(ref(host));
    }

    @Test
    void a_host_of_250_characters_has_a_key_that_is_parsed_back() {
        RecordRef ref = ref(LONGEST.value());

        assertThat(LONGEST.value()).hasSize(250);
        assertThat(RecordRef.parse(ref.key())).contains(ref);
    }

    @Test
    void a_host_of_251_characters_has_no_record() {
        assertThatThrownBy(() -> ref(LABELS + "b".repeat(59)))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageContaining("250");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "records/acme/web/a.example.com",
                "records/acme/web/a.example.com.txt",
                "records/acme/web/.json",
                "records/acme/web/a.json",
                "records/acme/web/A.example.com.json",
                "records/acme/web/_probe.json",
                "records/acme/Web/a.example.com.json",
                "records/-acme/web/a.example.com.json",
                "records/acme/a.example.com.json",
                "records/acme/web/x/a.example.com.json",
                "record/acme/web/a.example.com.json",
                "runs/acme/web/a.example.com.json"
            })
    void another_key_is_no_records(String key) {
        assertThat(RecordRef.parse(ObjectKey.of(key))).isEmpty();
    }

    private static RecordRef ref(String host) {
        return new RecordRef(Account.of("acme"), App.of("web"), Host.of(host));
    }
}
