package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.ObjectKey;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChangeMarkerTest {
    private final InMemoryObjectStore store = new InMemoryObjectStore();
    private final ChangeMarker marker = new ChangeMarker(store, "r1");
    private final Random random = new Random(1);

    @Test
    void the_marker_of_a_region_is_one_object() {
        marker.bump(random);

        assertThat(store.get(ObjectKey.of("serial/r1"))).isPresent();
    }

    @Test
    void without_a_marker_a_look_gives_nothing() {
        assertThat(marker.look("")).isEmpty();
    }

    @Test
    void a_look_gives_the_same_text_until_somebody_bumps_it() {
        marker.bump(random);
        String first = marker.look("");

        assertThat(marker.look(first)).isEqualTo(first).isNotEmpty();
        marker.bump(random);
        assertThat(marker.look(first)).isNotEqualTo(first);
    }

    @Test
    void the_marker_of_another_region_does_not_move() {
        marker.bump(random);
        String before = marker.look("");

        new ChangeMarker(store, "r2").bump(random);

        assertThat(marker.look(before)).isEqualTo(before);
    }

    @Test
    void a_marker_that_is_gone_has_moved() {
        marker.bump(random);
        String before = marker.look("");
        store.delete(marker.key());

        assertThat(marker.look(before)).isEmpty();
    }
}
