package io.counterpart.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {

  @Test
  void a_killed_process_is_gone_when_kill_returns() throws IOException {
    Process process = new ProcessBuilder("sleep", "60").start();
    ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
    assertThat(identity.isAlive()).isTrue();

    identity.kill();

    assertThat(identity.isAlive()).isFalse();
    assertThat(identity.cpuTime()).isEmpty();
  }

  @Test
  void a_process_with_the_same_id_but_another_start_is_left_alone() throws IOException {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      long start = ProcessIdentity.of(process.pid()).orElseThrow().startTicks();
      ProcessIdentity earlier = new ProcessIdentity(process.pid(), start - 1);

      assertThat(earlier.isAlive()).isFalse();
      earlier.kill();
      earlier.terminate();

      assertThat(process.isAlive()).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void a_paused_process_stands_still_until_it_is_resumed() throws IOException {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
      assertThat(identity.isPaused()).isFalse();

      identity.pause();
      assertThat(identity.isPaused()).isTrue();
      assertThat(identity.isAlive()).isTrue();

      identity.resume();
      assertThat(identity.isPaused()).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void a_paused_process_hears_that_it_is_to_end() throws IOException {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
      identity.pause();

      identity.terminate();

      assertThat(identity.awaitExit(Duration.ofSeconds(10))).isTrue();
      identity.pause();
      assertThat(identity.isPaused()).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void a_process_is_found_by_an_argument() throws Exception {
    String argument = "60." + System.nanoTime();
    assertThat(ProcessIdentity.withArgument(argument)).isEmpty();
    Process process = new ProcessBuilder("sleep", argument).start();
    try {
      assertThat(awaitArgument(argument)).isEqualTo(ProcessIdentity.of(process.pid()));
      assertThat(ProcessIdentity.withArgument(argument.substring(1))).isEmpty();
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(ProcessIdentity.withArgument(argument)).isEmpty();
  }

  /** Linux shows the arguments of a program a moment after it has taken its process over. */
  private static Optional<ProcessIdentity> awaitArgument(String argument) {
    Optional<ProcessIdentity> found = ProcessIdentity.withArgument(argument);
    for (int tries = 0; found.isEmpty() && tries < 1_000; tries++) {
      ProcessIdentity.pause(20);
      found = ProcessIdentity.withArgument(argument);
    }
    return found;
  }

  @Test
  void memory_of_a_process_ends_with_it() throws IOException {
    ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow();
    Process process = new ProcessBuilder("sleep", "60").start();
    ProcessIdentity ended = ProcessIdentity.of(process.pid()).orElseThrow();

    ended.kill();

    assertThat(self.anonymousBytes()).as("this JVM's heap").isGreaterThan(10L << 20);
    assertThat(ended.anonymousBytes()).isZero();
  }

  @Test
  void own_cpu_time_grows() {
    ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow();

    assertThat(self.cpuTime())
        .hasValueSatisfying(time -> assertThat(time).isGreaterThan(Duration.ZERO));
  }
}
