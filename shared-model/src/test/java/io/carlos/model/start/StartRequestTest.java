package io.carlos.model.start;

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

    private static StartRequest request(List<String> argv, List<String> environment) {
        return new StartRequest(USER, "", "/wörk", "/bin:", ArgumentBlock.of(argv, environment));
    }

    private static byte[] withoutLength(StartRequest request) {
        byte[] bytes = request.encode();
        assertThat(Numbers.get(bytes, 0)).isEqualTo(bytes.length - StartRequest.LENGTH_BYTES);
        return Arrays.copyOfRange(bytes, StartRequest.LENGTH_BYTES, bytes.length);
    }

    private static String texts(StartRequest request) {
        ArgumentBlock block = request.arguments();
        return new String(block.bytes(), block.start(), block.length(), StandardCharsets.UTF_8);
    }

    @Test
    void whatIsEncodedComesBack() {
        StartRequest read = StartRequest.decode(withoutLength(request(List.of("sh", "", "é\n"), List.of("A=1", "B="))));
        assertThat(read.user()).isEqualTo(USER);
        assertThat(read.controlGroup()).isEmpty();
        assertThat(read.workingDirectory()).isEqualTo("/wörk");
        assertThat(read.searchPath()).isEqualTo("/bin:");
        assertThat(read.arguments().arguments()).isEqualTo(3);
        assertThat(read.arguments().variables()).isEqualTo(2);
        assertThat(read.arguments().name()).asString(StandardCharsets.UTF_8).isEqualTo("sh");
        assertThat(texts(read)).isEqualTo("sh\0\0é\n\0A=1\0B=\0");
    }

    @Test
    void noEnvironmentComesBack() {
        assertThat(texts(StartRequest.decode(withoutLength(request(List.of("true"), List.of())))))
                .isEqualTo("true\0");
    }

    @Test
    void aTruncatedRequestIsRefused() {
        byte[] whole = withoutLength(request(List.of("sh", "-c"), List.of("A=1")));
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException().as("%s bytes", length).isThrownBy(() -> StartRequest.decode(part));
        }
    }

    @Test
    void bytesBehindTheLastTextAreRefused() {
        byte[] whole = withoutLength(request(List.of("sh"), List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StartRequest.decode(Arrays.copyOf(whole, whole.length + 1)));
    }

    @Test
    void noArgumentAtAllIsRefused() {
        byte[] none = withoutLength(request(List.of("sh"), List.of("A=1")));
        Numbers.put(none, 8, 0);
        Numbers.put(none, 12, 2);
        assertThatIllegalArgumentException().isThrownBy(() -> StartRequest.decode(none));
    }

    @Test
    void rootIsRefused() {
        byte[] root = withoutLength(request(List.of("sh"), List.of()));
        Numbers.put(root, 0, 0);
        assertThatIllegalArgumentException().isThrownBy(() -> StartRequest.decode(root));
    }

    @Test
    void randomBytesAreReadOrRefused() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] whole = withoutLength(request(List.of("sh", "-c"), List.of("A=1")));
        for (int round = 0; round < 20_000; round++) {
            byte[] changed = whole.clone();
            for (int i = 0; i <= random.nextInt(3); i++) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(StartRequest.decode(changed).arguments().arguments()).isPositive();
            } catch (IllegalArgumentException e) {
                assertThat(e).as("seed %s", seed).hasMessageNotContaining("null");
            }
        }
    }

    @Test
    void aSearchPathLongerThanAnyVariableIsTooLong() {
        ArgumentBlock arguments = ArgumentBlock.of(List.of("true"), List.of());
        String longest = ":".repeat(StartRequest.LONGEST_TEXT);
        assertThat(new StartRequest(USER, "", "/", longest, arguments).isTooLong())
                .isFalse();
        assertThat(new StartRequest(USER, "", "/", longest + ":", arguments).isTooLong())
                .isTrue();
    }

    @Test
    void whatTheKernelNeverTakesIsTooLong() {
        int texts = StartRequest.KERNEL_LIMIT / 9;
        assertThat(request(Collections.nCopies(texts, ""), List.of()).isTooLong())
                .isFalse();
        List<String> more = new ArrayList<>(Collections.nCopies(texts, ""));
        more.add("");
        StartRequest longer = request(List.of(""), more);
        assertThat(longer.isTooLong()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(longer::encode);
    }
}
