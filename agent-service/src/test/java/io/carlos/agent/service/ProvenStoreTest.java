package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.time.OneProcess;
import io.carlos.store.PreflightCheck;
import io.carlos.store.PreflightReport;
import io.carlos.store.PreflightVerdict;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ProvenStoreTest {
    private final OneProcess process = new OneProcess();

    @Test
    void a_store_that_passes_or_only_warns_is_accepted() throws Exception {
        assertThat(triesOf(PreflightVerdict.PASSED)).isEqualTo(1);
        assertThat(triesOf(PreflightVerdict.WARNED)).isEqualTo(1);
    }

    @Test
    void a_store_that_cannot_be_reached_is_tried_again_until_it_can() throws Exception {
        assertThat(triesOf(PreflightVerdict.UNKNOWN, PreflightVerdict.UNKNOWN, PreflightVerdict.PASSED))
                .isEqualTo(3);
    }

    @Test
    void a_store_that_breaks_its_contract_is_refused_by_the_line_that_says_so() {
        assertThatThrownBy(() -> triesOf(PreflightVerdict.UNKNOWN, PreflightVerdict.REFUSED))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("s3://fleet")
                .hasMessageContaining(PreflightCheck.CREATE_RACE.title())
                .hasMessageContaining("two won");
    }

    /** How many preflights it takes until the store is accepted. */
    private int triesOf(PreflightVerdict... verdicts) throws Exception {
        Queue<PreflightVerdict> left = new ArrayDeque<>(List.of(verdicts));
        ProvenStore store = new ProvenStore(
                "s3://fleet",
                () -> new PreflightReport(
                        List.of(new PreflightReport.Line(PreflightCheck.CREATE_RACE, left.remove(), "two won"))),
                process.scheduler());
        return process.call(() -> {
            store.await();
            return verdicts.length - left.size();
        });
    }
}
