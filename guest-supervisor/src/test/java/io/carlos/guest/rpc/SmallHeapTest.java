package io.carlos.guest.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.ExecResponse;
import io.carlos.model.guest.v1.GuestControlGrpc;
import io.carlos.model.testing.SupervisorProcess;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real supervisor with less memory than its calls could fill. */
@Timeout(120)
class SmallHeapTest {
    private static final int OUTPUT = 8_000_000;

    @TempDir
    private Path directory;

    private SupervisorProcess supervisor;
    private Connection connection;

    @BeforeEach
    void startSupervisor() throws Exception {
        supervisor = SupervisorProcess.start(List.of("env", "JDK_JAVA_OPTIONS=-Xmx96m"), directory);
        connection = new Connection(supervisor.socket()).provisioned(SupervisorProcess.UID);
    }

    @AfterEach
    void stopSupervisor() throws Exception {
        connection.close();
        supervisor.close();
    }

    private Future<ExecResponse> printMuch() {
        ExecRequest request = ExecRequest.newBuilder()
                .addAllCommand(List.of("sh", "-c", "head -c " + OUTPUT + " /dev/zero; exit 0"))
                .build();
        return GuestControlGrpc.newFutureStub(connection.channel()).exec(request);
    }

    @Test
    void muchOutputOfManyCommandsIsWholeOrRefused() throws Exception {
        List<Future<ExecResponse>> answers = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            answers.add(printMuch());
        }
        int whole = 0;
        for (Future<ExecResponse> answer : answers) {
            try {
                assertThat(answer.get(60, TimeUnit.SECONDS).getStdout().size()).isEqualTo(OUTPUT);
                whole++;
            } catch (ExecutionException e) {

                assertThat(Status.fromThrowable(e).getCode()).as("%s", e).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            }
        }
        assertThat(whole).isBetween(1, answers.size() - 1);
        // All that was taken has been given back.
        Await.until("there is room again for two", () -> {
            Future<ExecResponse> one = printMuch();
            Future<ExecResponse> other = printMuch();
            try {
                return one.get(60, TimeUnit.SECONDS).getStdout().size() == OUTPUT
                        && other.get(60, TimeUnit.SECONDS).getStdout().size() == OUTPUT;
            } catch (ExecutionException e) {
                return false;
            }
        });
        assertThat(supervisor.log()).doesNotContain("OutOfMemory", "ERROR");
    }
}
