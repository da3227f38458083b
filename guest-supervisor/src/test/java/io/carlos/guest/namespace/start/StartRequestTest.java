package io.carlos.guest.namespace.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.carlos.model.linux.process.UserIdentity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StartRequestTest {
    private static final UserIdentity USER = new UserIdentity(-2, 70_000);

    private static StartRequest request(List<byte[]> argv, List<byte[]> environment) {
        return new StartRequest(USER, "", "/wörk", "/bin:", argv, environment);
    }

    private static byte[] withoutLength(StartRequest request) {
        byte[] bytes = request.encode();
        assertThat(Numbers.get(bytes, 0)).isEqualTo(bytes.length - StartRequest.LENGTH_BYTES);
        return Arrays.copyOfRange(bytes, StartRequest.LENGTH_BYTES, bytes.length);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatIsEncodedComesBack() {
        StartRequest read = StartRequest.decode(
                withoutLength(request(List.of(text("sh"), text(""), text("é\n")), List.of(text("A=1"), text("B=")))));
        assertThat(read.user()).isEqualTo(USER);
        assertThat(read.controlGroup()).isEmpty();
        assertThat(read.workingDirectory()).isEqualTo("/wörk");
        assertThat(read.searchPath()).isEqualTo("/bin:");
        assertThat(read.argv()).containsExactly(text("sh"), text(""), text("é\n"));
        assertThat(read.environment()).containsExactly(text("A=1"), text("B="));
    }

    @Test
    void noEnvironmentComesBack() {
        assertThat(StartRequest.decode(withoutLength(request(List.of(text("true")), List.of())))
                        .environment())
                .isEmpty();
    }

    @Test
    void aTruncatedRequestIsRefused() {
        byte[] whole = withoutLength(request(List.of(text("sh"), text("-c")), List.of(text("A=1"))));
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException().as("%s bytes", length).isThrownBy(() -> StartRequest.decode(part));
        }
    }

    @Test
    void bytesBehindTheLastTextAreRefused() {
        byte[] whole = withoutLength(request(List.of(text("sh")), List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StartRequest.decode(Arrays.copyOf(whole, whole.length + 1)));
    }

    @Test
    void noArgumentAtAllIsRefused() {
        byte[] none = withoutLength(request(List.of(), List.of(text("A=1"))));
        assertThatIllegalArgumentException().isThrownBy(() -> StartRequest.decode(none));
    }

    @Test
    void rootIsRefused() {
        byte[] root = withoutLength(request(List.of(text("sh")), List.of()));
        Numbers.put(root, 0, 0);
        assertThatIllegalArgumentException().isThrownBy(() -> StartRequest.decode(root));
    }

    @Test
    void randomBytesAreReadOrRefused() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] whole = withoutLength(request(List.of(text("sh"), text("-c")), List.of(text("A=1"))));
        for (int round = 0; round < 20_000; round++) {
            byte[] changed = whole.clone();
            for (int i = 0; i <= random.nextInt(3); i++) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(StartRequest.decode(changed).argv()).isNotEmpty();
            } catch (IllegalArgumentException e) {
                assertThat(e).as("seed %s", seed).hasMessageNotContaining("null");
            }
        }
    }

    @Test
    void whatTheKernelNeverTakesIsTooLong() {
        int texts = StartRequest.KERNEL_LIMIT / 9;
        assertThat(request(Collections.nCopies(texts, text("")), List.of()).isTooLong())
                .isFalse();
        List<byte[]> more = new ArrayList<>(Collections.nCopies(texts, text("")));
        more.add(text(""));
        StartRequest longer = request(List.of(text("")), more);
        assertThat(longer.isTooLong()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(longer::encode);
    }
}
