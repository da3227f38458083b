package io.carlos.model.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.InvalidKeyException;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeartbeatTest {
    private static final Heartbeat BEAT =
            new Heartbeat(Heartbeat.SCHEMA, "b1", "r1", 3, "boot", 7, Instant.EPOCH, 300, null);

    private final InMemoryObjectStore store = new InMemoryObjectStore();

    @Test
    void isReadAsItWasStored() {
        put("b1", BEAT);

        assertThat(Heartbeat.read(store, "r1", "b1").orElseThrow().heartbeat()).isEqualTo(BEAT);
    }

    @Test
    void ofAnotherBoxIsNotReadForThisOne() {
        put("b2", BEAT);

        assertThatThrownBy(() -> Heartbeat.read(store, "r1", "b2"))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("boxes/r1/b2.json: it is the heartbeat of box b1 of region r1");
    }

    @ParameterizedTest
    @CsvSource({
        "lost_after_s, -1",
        "lost_after_s, 4",
        "lost_after_s, 604801",
        "lost_after_s, 9223372036854775807",
        "epoch, 0",
        "epoch, -5",
        "epoch, 9223372036854775807",
        "beat, 0",
        "beat, 9223372036854775807",
    })
    void aNumberThatNoAgentWritesIsRefused(String member, String value) {
        String text = new String(CarlosJson.write(BEAT), UTF_8)
                .replaceFirst("\"" + member + "\":\\d+", "\"" + member + "\":" + value);
        store.put(Heartbeat.key("r1", "b1"), text.getBytes(UTF_8), Precondition.NONE);

        assertThatThrownBy(() -> Heartbeat.read(store, "r1", "b1"))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining(member + " is " + value + ", expected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", ".", "..", "a b"})
    void aNameThatIsNoSegmentOfAKeyHasNone(String name) {
        assertThatThrownBy(() -> Heartbeat.key(name, "b1")).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void aBoxNameWithASlashHasNoKey() {
        assertThatThrownBy(() -> Heartbeat.key("r1", "a/b")).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void aBoxIsFoundInItsKey() {
        assertThat(Heartbeat.box("r1", Heartbeat.key("r1", "b1"))).contains("b1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"boxes/r1/deeper/b1.json", "boxes/r1/b1", "boxes/r1/.json", "boxes/r2/b1.json", "boxes/r1.json"})
    void aKeyThatIsNoHeartbeatsIsOfNoBox(String key) {
        assertThat(Heartbeat.box("r1", ObjectKey.of(key))).isEmpty();
    }

    private void put(String box, Heartbeat heartbeat) {
        store.put(Heartbeat.key("r1", box), CarlosJson.write(heartbeat), Precondition.NONE);
    }
}
