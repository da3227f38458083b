package io.carlos.model.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.runs.ActiveRun;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class InstanceRecordTest {
    private static final String FULL = """
            {"schema":1,"version":17,"writer":"tok","host":"bill.example.com","slug":"bill","app":"web","account":"acme",
             "region":"r1","channel":"stable","pools":["a","b"],"created_at":"2026-01-02T03:04:05Z","box":"box-1","image":null,
             "isolation":"unit","memory_max":536870912,"env":{"K":"v"},"seed":{"kind":"import","state":"placed","source":"s"},
             "trashed_at":null,
             "active_run":{"id":"run_aaaaaaaaaaaaaaaaaaaaaaaaaa","state":"picked","outcome":null,"by":"ann",
               "deadline":"2026-01-02T03:05:05Z","box":"box-1","boot_id":"b","attempt":"t","priority":7},
             "labels":{"tier":["gold"]}}
            """;
    private static final RecordRef REF = Records.of("bill.example.com").ref();

    @Test
    void a_full_record_is_read_member_by_member() {
        InstanceRecord record = decode(FULL);

        assertThat(record.version()).isEqualTo(17);
        assertThat(record.box()).isEqualTo("box-1");
        assertThat(record.isolation()).isEqualTo(Isolation.UNIT);
        assertThat(record.createdAt()).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(record.seed())
                .extracting(Seed::kind, Seed::state)
                .containsExactly(Seed.Kind.IMPORT, Seed.State.PLACED);
        assertThat(record.run().orElseThrow().state()).isEqualTo(ActiveRun.State.PICKED);
        assertThat(record.run().orElseThrow().bootId()).isEqualTo("b");
    }

    @Test
    void writing_a_record_that_was_read_gives_the_same_members_also_the_unknown_ones() {
        JsonNode before = CarlosJson.mapper().readTree(FULL);

        JsonNode after = CarlosJson.mapper().readTree(CarlosJson.write(decode(FULL)));

        assertThat(after).isEqualTo(before);
    }

    @Test
    void unknown_members_outlive_a_change_of_the_record_and_of_its_run() {
        InstanceRecord read = decode(FULL);

        InstanceRecord changed = ((io.carlos.model.runs.Transition.Changed) io.carlos.model.runs.RunTransitions.cancel(
                        read, read.run().orElseThrow().id()))
                .record();

        JsonNode tree = CarlosJson.mapper().readTree(CarlosJson.write(changed));
        assertThat(tree.at("/labels/tier/0").asString()).isEqualTo("gold");
        assertThat(tree.at("/active_run/priority").asInt()).isEqualTo(7);
        assertThat(tree.at("/active_run/state").asString()).isEqualTo("cancel");
    }

    @Test
    void another_schema_is_refused_naming_both() {
        assertThatThrownBy(() -> decode(FULL.replace("\"schema\":1", "\"schema\":9")))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining("9")
                .hasMessageContaining("1");
    }

    @Test
    void a_record_under_another_hosts_key_is_refused() {
        assertThatThrownBy(() -> decode(FULL.replace("bill.example.com", "jane.example.com")))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining("jane.example.com");
    }

    @Test
    void a_host_that_is_none_is_refused() {
        assertThatThrownBy(() -> decode(FULL.replace("\"host\":\"bill.example.com\"", "\"host\":\"Bill\"")))
                .isInstanceOf(UnreadableRecordException.class);
    }

    @Test
    void text_that_is_no_json_is_refused() {
        assertThatThrownBy(() -> decode("{\"schema\":1,")).isInstanceOf(UnreadableRecordException.class);
    }

    private static InstanceRecord decode(String json) {
        return RecordCodec.decode(REF, json.getBytes(StandardCharsets.UTF_8));
    }
}
