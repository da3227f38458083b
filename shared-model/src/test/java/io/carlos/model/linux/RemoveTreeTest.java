package io.carlos.model.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoveTreeTest {
    @TempDir
    Path temporary;

    private Path path;
    private Path tree;
    private Path outside;
    private Directory directory;

    @BeforeEach
    void openDirectory() throws IOException {
        path = Files.createDirectory(temporary.resolve("inside"));
        tree = Files.createDirectory(path.resolve("tree"));
        outside = Files.createDirectory(temporary.resolve("outside"));
        Files.createDirectory(outside.resolve("sub"));
        Files.writeString(outside.resolve("sub/kept"), "kept");
        directory = Directory.open(path);
    }

    @AfterEach
    void nothingOutsideWasTouched() throws IOException {
        directory.close();
        assertThat(outside.resolve("sub/kept")).hasContent("kept");
    }

    @Test
    void absentNameIsNothingToDo() throws IOException {
        directory.removeTree("absent");
        directory.removeTree("absent/too");

        assertThat(directory.list()).containsExactly("tree");
    }

    @Test
    void treeIsGoneAndItsNeighboursStay() throws IOException {
        Files.createDirectories(tree.resolve("a/b/c"));
        Files.createDirectories(tree.resolve("a/d"));
        Files.writeString(tree.resolve("a/b/file"), "");
        Files.writeString(path.resolve("neighbour"), "");

        directory.removeTree("tree");

        assertThat(directory.list()).containsExactly("neighbour");
    }

    @Test
    void treeBelowDirectoriesIsGoneAndTheyStay() throws IOException {
        Files.createDirectories(tree.resolve("a/b"));

        directory.removeTree("tree/a");

        assertThat(tree).isEmptyDirectory();
    }

    @Test
    void fileIsRemovedAsATree() throws IOException {
        Files.writeString(tree.resolve("file"), "");

        directory.removeTree("tree/file");

        assertThat(tree).isEmptyDirectory();
    }

    @Test
    void linksAtEveryLevelAreRemovedAndNotFollowed() throws IOException {
        Path level = tree;
        for (int depth = 0; depth < 5; depth++) {
            Files.createSymbolicLink(level.resolve("directory-link"), outside);
            Files.createSymbolicLink(level.resolve("file-link"), outside.resolve("sub/kept"));
            Files.createSymbolicLink(level.resolve("up"), Path.of(".."));
            Files.createSymbolicLink(level.resolve("dangling"), Path.of("/nowhere"));
            level = Files.createDirectory(level.resolve("d"));
        }

        directory.removeTree("tree");

        assertThat(path).isEmptyDirectory();
    }

    @Test
    void linkInPlaceOfTheTreeIsRemovedAndNotFollowed() throws IOException {
        Files.createSymbolicLink(path.resolve("link"), outside);

        directory.removeTree("link");

        assertThat(directory.list()).containsExactly("tree");
    }

    @Test
    void fifosAndSocketsAreRemoved() throws IOException {
        LinuxTestCalls.LIBC.mkfifo(tree.resolve("fifo").toString(), 0);
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(tree.resolve("socket")));
        }

        directory.removeTree("tree");

        assertThat(path).isEmptyDirectory();
    }

    @Test
    void directoriesWithoutPermissionsAreRemovedByTheirOwner() throws IOException {
        directory.close();
        try (OrdinaryUser user = new OrdinaryUser(path, tree, temporary)) {
            directory = Directory.open(path);
            for (String mode : new String[] {"---------", "r--------", "r-x------", "-wx------"}) {
                Path closed = Files.createDirectories(tree.resolve("x" + mode));
                Files.createDirectories(closed.resolve("sub"));
                Files.writeString(closed.resolve("sub/file"), "");
                Files.setPosixFilePermissions(closed.resolve("sub"), PosixFilePermissions.fromString(mode));
                Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString(mode));
            }

            directory.removeTree("tree");

            assertThat(user).isNotNull();
        }
        assertThat(path).isEmptyDirectory();
    }

    @Test
    void whatBelongsToSomebodyElseStaysIsNamedAndKeepsNothingElse() throws IOException {
        RootLane.require("make a file that another user cannot remove");
        Files.createDirectories(tree.resolve("a/foreign"));
        Files.writeString(tree.resolve("a/foreign/file"), "");
        Path more = Files.createDirectory(tree.resolve("b"));
        try (OrdinaryUser user = new OrdinaryUser(path, tree, tree.resolve("a"), more)) {
            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(() -> directory.removeTree("tree"))
                    .matches(e -> e.is(Errno.EACCES))
                    .withMessageContaining(tree + "/a/foreign/file");
            assertThat(user).isNotNull();
        }

        assertThat(directory.list()).containsExactly("tree");
        assertThat(tree.resolve("b")).doesNotExist();
    }

    @Test
    void namesThatAreNoTextAreRemoved() throws IOException {
        directory.createDirectory("tree/\udcff\udc80", 0700);
        directory.createFile("tree/\udcff\udc80/new\nline\udcc3", 0600).close();

        directory.removeTree("tree");

        assertThat(path).isEmptyDirectory();
    }

    @Test
    void manyFullDirectoriesSideBySideAreRemoved() throws IOException {
        for (int i = 0; i < 1_500; i++) {
            Files.createDirectories(tree.resolve("a-name-of-some-length-" + i));
            Files.writeString(tree.resolve("a-name-of-some-length-" + i + "/file"), "");
        }

        directory.removeTree("tree");

        assertThat(path).isEmptyDirectory();
    }

    @Test
    void treeOfDepth2000IsRemovedWithFewDescriptors() throws IOException {
        createChain(2_000, "a-name-of-some-length");

        try (DescriptorLimit limit = DescriptorLimit.above(80)) {
            directory.removeTree("tree");
            assertThat(limit).isNotNull();
        }

        assertThat(path).isEmptyDirectory();
    }

    @Test
    void combOfDeepDirectoriesIsRemovedWithFewDescriptors() throws IOException {
        Path spine = tree;
        for (int depth = 0; depth < 40; depth++) {
            spine = spine.resolve("s");
            Files.createDirectories(spine.resolve("one" + "/t".repeat(20)));
            Files.createDirectories(spine.resolve("two" + "/t".repeat(20)));
        }

        try (DescriptorLimit limit = DescriptorLimit.above(80)) {
            directory.removeTree("tree");
            assertThat(limit).isNotNull();
        }

        assertThat(path).isEmptyDirectory();
    }

    @Test
    void mountInsideStaysIsNamedAndKeepsNothingElse() throws IOException {
        Path mountPoint = Files.createDirectories(tree.resolve("a/b/mounted"));
        Files.writeString(tree.resolve("a/b/file"), "");
        Files.createDirectories(tree.resolve("a/c/d"));

        try (RootLane.Mounted mounted = RootLane.bind(outside, mountPoint)) {
            assertThatExceptionOfType(MountInTreeException.class)
                    .isThrownBy(() -> directory.removeTree("tree"))
                    .withMessage(
                            "remove tree: something is mounted on %s: unmount it and remove the tree again",
                            mounted.target())
                    .satisfies(e -> assertThat(e.mounts()).containsExactly(mountPoint.toString()));
            assertThat(mountPoint.resolve("sub/kept")).hasContent("kept");
        }

        try (Directory rest = Directory.open(tree.resolve("a"))) {
            assertThat(rest.list()).containsExactly("b");
        }
        assertThat(mountPoint).isEmptyDirectory();
        assertThat(mountPoint.getParent().toFile().list()).containsExactly("mounted");
        directory.removeTree("tree");
        assertThat(path).isEmptyDirectory();
    }

    @Test
    void mountDeepInsideStaysAndIsNamed() throws IOException {
        String deep = "/d".repeat(60);
        Path mountPoint = Files.createDirectories(Path.of(tree + deep + "/mounted"));

        try (RootLane.Mounted mounted = RootLane.bind(outside, mountPoint)) {
            assertThatExceptionOfType(MountInTreeException.class)
                    .isThrownBy(() -> directory.removeTree("tree"))
                    .satisfies(e -> assertThat(e.mounts())
                            .containsExactly(mounted.target().toString()));
        }
    }

    @Test
    void mountOnAFileInsideStaysAndIsNamed() throws IOException {
        Path mountPoint = Files.writeString(tree.resolve("file"), "");

        try (RootLane.Mounted mounted = RootLane.bind(outside.resolve("sub/kept"), mountPoint)) {
            assertThatExceptionOfType(MountInTreeException.class)
                    .isThrownBy(() -> directory.removeTree("tree"))
                    .satisfies(e -> assertThat(e.mounts())
                            .containsExactly(mounted.target().toString()));
        }
    }

    @Test
    void mountOnTheTreeItselfStaysAndIsNamed() throws IOException {
        try (RootLane.Mounted mounted = RootLane.bind(outside, tree)) {
            assertThatExceptionOfType(MountInTreeException.class)
                    .isThrownBy(() -> directory.removeTree("tree"))
                    .satisfies(e -> assertThat(e.mounts())
                            .containsExactly(mounted.target().toString()));
        }
    }

    @Test
    void treeBeyondAMountIsRefused() throws IOException {
        try (RootLane.Mounted mounted = RootLane.bind(outside, tree)) {
            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(() -> directory.removeTree("tree/sub"))
                    .matches(e -> e.is(Errno.EXDEV));
            assertThat(mounted.target().resolve("sub/kept")).hasContent("kept");
        }
    }

    @Test
    void treeIsRemovedWhileDirectoriesAreSwappedForLinks() throws Exception {
        for (int round = 0; round < 50; round++) {
            Path swapped = Files.createDirectories(tree.resolve("a"));
            for (int i = 0; i < 5; i++) {
                Files.createDirectories(swapped.resolve("sub/b" + i));
                Files.writeString(swapped.resolve("sub/b" + i + "/file"), "");
            }
            Path link = Files.createSymbolicLink(tree.resolve("link"), outside);

            try (SwapLoop swaps = new SwapLoop(swapped, link)) {
                swaps.awaitSwaps(1);
                directory.removeTree("tree");
            }

            assertThat(path).isEmptyDirectory();
        }
    }

    @Test
    void deepTreeIsRemovedWhileALevelFarAboveIsSwappedForALink() throws Exception {
        for (int round = 0; round < 10; round++) {
            directory.createDirectories("tree/top/a" + "/sub".repeat(100), 0700).close();
            Path link = Files.createSymbolicLink(tree.resolve("top/link"), outside);

            try (SwapLoop swaps = new SwapLoop(tree.resolve("top/a"), link)) {
                swaps.awaitSwaps(1);
                directory.removeTree("tree");
            }

            assertThat(path).isEmptyDirectory();
        }
    }

    @Test
    void nameOfTheTreeIsGoneWhenItWasSwappedForALinkAllTheTime() throws Exception {
        for (int round = 0; round < 10; round++) {
            Files.createDirectories(tree.resolve("sub" + "/sub".repeat(99)));
            Path link = Files.createSymbolicLink(path.resolve("link"), outside);

            try (SwapLoop swaps = new SwapLoop(tree, link)) {
                swaps.awaitSwaps(1);
                directory.removeTree("tree");
            }

            assertThat(directory.status("tree")).as("round %d", round).isEmpty();
            directory.removeTree("link");
        }
    }

    /** A chain of directories, every tenth with a file in it, too deep for any one path. */
    private void createChain(int depth, String name) throws IOException {
        Directory deepest = directory.openDirectory("tree");
        for (int i = 0; i < depth; i++) {
            try (Directory above = deepest) {
                if (i % 10 == 0) {
                    above.createFile("file", 0600).close();
                }
                above.createDirectory(name, 0700);
                deepest = above.openDirectory(name);
            }
        }
        deepest.close();
    }
}
