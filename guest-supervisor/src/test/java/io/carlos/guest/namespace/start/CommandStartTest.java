package io.carlos.guest.namespace.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.model.linux.process.UserIdentity;
import io.carlos.model.start.ArgumentBlock;
import io.carlos.model.start.StartReport;
import io.carlos.model.start.StartReport.Failed;
import io.carlos.model.start.StartRequest;
import io.carlos.model.start.StartStep;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every step of a start, in a process that only writes down what is asked of it. */
class CommandStartTest {
    private static final UserIdentity USER = new UserIdentity(1000, 2000);

    /** In the order that makes them work: the later ones take away what the earlier ones need. */
    private static final List<String> BEFORE_THE_SEARCH = List.of(
            "cloexec 3",
            "no new privileges",
            "drop ambient",
            "drop bounding 0",
            "drop bounding 1",
            "leave groups",
            "gid 2000",
            "uid 1000",
            "hide",
            "drop all",
            "chdir /home");

    private final RecordingChild child = new RecordingChild();

    private static StartRequest request(String controlGroup, String path, String... argv) {
        return new StartRequest(USER, controlGroup, "/home", path, ArgumentBlock.of(List.of(argv), List.of("A=1")));
    }

    private StartReport run(StartRequest request) {
        child.receives(request.encode());
        assertThat(new CommandStart(child).run()).isTrue();
        return StartReport.parse(child.said());
    }

    @Test
    void privilegesGoBeforeAnythingIsLookedForAndTheProgramIsExecuted() {
        child.executable("/bin/sh");
        child.executeError = -Errno.ENOMEM;

        StartReport report = run(request("", "/usr/bin:/bin", "sh", "-c", ""));

        assertThat(child.log).startsWith(BEFORE_THE_SEARCH.toArray(String[]::new));
        assertThat(child.log).endsWith("reset", "unblock", "say 0", "execute /bin/sh as sh -c  with A=1", "say 6");
        assertThat(report).isEqualTo(new Failed(StartStep.EXECUTE, Errno.ENOMEM));
    }

    @Test
    void theControlGroupIsEnteredAsRoot() {
        child.controlGroup("/groups/one/cgroup.procs");
        child.executable("/bin/sh");

        run(request("/groups/one", "/bin", "sh"));

        assertThat(child.log).startsWith("cloexec 3", "open /groups/one/cgroup.procs", "write 0", "no new privileges");
    }

    @Test
    void aControlGroupThatIsNotThereEndsTheStart() {
        assertThat(run(request("/groups/two", "/bin", "sh")))
                .isEqualTo(new Failed(StartStep.CONTROL_GROUP, Errno.ENOENT));
        assertThat(child.log).doesNotContain("uid 1000");
    }

    @Test
    void anyStepOfTheIdentityThatFailsEndsTheStart() {
        child.executable("/bin/sh");
        for (String step : BEFORE_THE_SEARCH.subList(1, BEFORE_THE_SEARCH.size() - 1)) {
            child.log.clear();
            child.failing = step;
            assertThat(run(request("", "/bin", "sh"))).as(step).isEqualTo(new Failed(StartStep.IDENTITY, Errno.EPERM));
            assertThat(child.log).as(step).noneMatch(line -> line.startsWith("execute") || line.startsWith("chdir"));
        }
    }

    @Test
    void memoryThatIsNotThereIsSaidWithTheStepThatWantedIt() {
        child.outOfMemory = "drop all";
        assertThat(run(request("", "/bin", "sh"))).isEqualTo(new Failed(StartStep.IDENTITY, Errno.ENOMEM));
        child.outOfMemory = "chdir /home";
        assertThat(run(request("", "/bin", "sh"))).isEqualTo(new Failed(StartStep.WORKING_DIRECTORY, Errno.ENOMEM));
    }

    @Test
    void aWorkingDirectoryOutOfReachEndsTheStart() {
        child.failing = "chdir /home";

        assertThat(run(request("", "/bin", "sh"))).isEqualTo(new Failed(StartStep.WORKING_DIRECTORY, Errno.EPERM));
    }

    @Test
    void aNameIsLookedForInOrderAndWhatMayNotBeExecutedIsPassedOver() {
        child.file("/first/tool");
        child.directory("/second/tool");
        child.executable("/third/tool");
        child.executable("/fourth/tool");

        run(request("", "/none:/first:/second:/third:/fourth", "tool"));

        assertThat(child.log).contains("execute /third/tool as tool with A=1");
    }

    @Test
    void anEmptyDirectoryOfThePathIsTheWorkingDirectory() {
        child.executable("./tool");

        run(request("", "/bin:", "tool"));

        assertThat(child.log).contains("execute ./tool as tool with A=1");
    }

    @Test
    void aNameWithASlashIsLookedForNowhere() {
        child.executable("bin/tool");

        run(request("", "/bin", "bin/tool"));

        assertThat(child.log).contains("execute bin/tool as bin/tool with A=1");
    }

    @Test
    void aProgramThatIsNowhereIsNotThere() {
        assertThat(run(request("", "/bin", "tool"))).isEqualTo(new Failed(StartStep.PROGRAM, Errno.ENOENT));
        assertThat(run(request("", "/bin", "/bin/tool"))).isEqualTo(new Failed(StartStep.PROGRAM, Errno.ENOENT));
        assertThat(run(request("", "/bin", "x".repeat(5_000)))).isEqualTo(new Failed(StartStep.PROGRAM, Errno.ENOENT));
    }

    @Test
    void aCandidateAsLongAsAPathMayBeIsFoundAndALongerOneIsPassedOver() {
        String longest = "/" + "d".repeat(4_095 - "//tool".length());
        child.executable(longest + "/tool");
        child.executable("/bin/tool");

        run(request("", longest + "d:" + longest + ":/bin", "tool"));

        assertThat(child.log).contains("execute " + longest + "/tool as tool with A=1");
    }

    @Test
    void aFileThatMayNotBeExecutedIsDenied() {
        child.file("/bin/tool");
        child.directory("/bin/directory");

        assertThat(run(request("", "/bin:/sbin", "tool"))).isEqualTo(new Failed(StartStep.PROGRAM, Errno.EACCES));
        assertThat(run(request("", "/bin", "/bin/directory"))).isEqualTo(new Failed(StartStep.PROGRAM, Errno.EACCES));
    }

    @Test
    void aRequestThatBreaksOffIsNoStart() {
        byte[] whole = request("", "/bin", "sh").encode();
        child.receives(Arrays.copyOf(whole, whole.length - 1));

        assertThat(new CommandStart(child).run()).isTrue();

        assertThat(StartReport.parse(child.said())).isEqualTo(new Failed(StartStep.REQUEST, Errno.EINVAL));
        assertThat(child.log).doesNotContain("uid 1000");
    }

    @Test
    void aLengthThatNoRequestHasIsNotWaitedFor() {
        child.receives(new byte[] {0x7f, -1, -1, -1});
        assertThat(new CommandStart(child).run()).isTrue();
        assertThat(StartReport.parse(child.said())).isEqualTo(new Failed(StartStep.REQUEST, Errno.EINVAL));
    }

    @Test
    void withoutAChannelNobodyIsTold() {
        child.failing = "cloexec 3";
        child.channelIsThere = false;
        assertThat(new CommandStart(child).run()).isFalse();
    }
}
