package io.counterpart.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.recovery.RecoveryWay;
import io.counterpart.core.recovery.Restored;
import io.counterpart.core.recovery.TokenRange;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryStateTest {
  @TempDir private Path directory;

  @Test
  void what_a_rebuild_gave_is_not_repaired_yet() {
    Path file = directory.resolve("node1.json");
    TokenRange one = new TokenRange(0, 10);
    TokenRange two = new TokenRange(10, 20);
    RecoveryState state = RecoveryState.read(file, "h");
    state.add("app", new Restored(RecoveryWay.REBUILD, Set.of(one, two)));
    state.add("app", new Restored(RecoveryWay.REPAIR, Set.of(one)));

    assertThat(RecoveryState.read(file, "h").of("app"))
        .contains(new Restored(RecoveryWay.REPAIR, Set.of(one)));
    state.add("app", new Restored(RecoveryWay.REPAIR, Set.of(two)));
    assertThat(state.of("app").orElseThrow().ranges()).containsExactlyInAnyOrder(one, two);
  }

  @Test
  void a_file_that_cannot_be_locked_is_closed() throws IOException {
    Path file = Files.createFile(directory.resolve("node1.json.lock"));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      assertThatThrownBy(() -> RecoveryState.tryLock(channel))
          .isInstanceOf(NonWritableChannelException.class);

      assertThat(channel.isOpen()).isFalse();
    }
  }
}
