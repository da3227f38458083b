package io.carlos.agent.container.podman;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandUserTest {
    private static final PodmanSettings SETTINGS = PodmanSettings.of(
                    new ContainerRoot.Image("localhost/base"), Path.of("/opt/carlos/carlos"), "owner", Map.of())
            .withCreateArguments(List.of("--network=none"));

    @Test
    void filesOfRootAreAnotherUsersWhereTheyAreMounted() {
        CommandUser user = CommandUser.of(0, 4);

        assertThat(user.uid()).isEqualTo(1000);
        assertThat(user.applyTo(SETTINGS).volumeOptions()).containsExactly("idmap=uids=0-1000-1;gids=4-1000-1");
        assertThat(user.applyTo(SETTINGS).createArguments()).containsExactly("--network=none");
    }

    @Test
    void anyOtherUserIsTheSameInItsContainers() {
        CommandUser user = CommandUser.of(977, 976);

        assertThat(user.uid()).isEqualTo(977);
        assertThat(user.applyTo(SETTINGS).volumeOptions()).isEmpty();
        assertThat(user.applyTo(SETTINGS).createArguments()).containsExactly("--userns=keep-id", "--network=none");
    }
}
