package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.process.ProcessIdentity;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class NodetoolTest {
  /** An argument that no other process has. */
  private static final String SECONDS = "119.0625";

  @Test
  void a_process_ends_with_whoever_waits_for_it() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> Nodetool.run(new ProcessBuilder("sleep", SECONDS)))
          .isInstanceOf(CancellationException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }

    Optional<ProcessIdentity> left = ProcessIdentity.withArgument(SECONDS);
    assertThat(left.isEmpty() || left.get().awaitExit(Duration.ofSeconds(30))).isTrue();
  }
}
