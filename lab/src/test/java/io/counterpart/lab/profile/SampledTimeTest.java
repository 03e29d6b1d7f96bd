package io.counterpart.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampledTimeTest {
  private static final List<String> MERGE = List.of("x.Compaction.merge");
  private static final List<String> READ = List.of("sun.nio.ch.FileDispatcherImpl.pread0");
  private static final List<String> IDLE = List.of("sun.nio.ch.Net.accept");

  @Test
  void a_sample_in_java_is_a_tick_and_one_in_native_code_a_turn() {
    // 100 ticks in 2 s, four threads in native code in turn: one of them reads all the time
    SampledTime time = new SampledTime();
    for (int tick = 0; tick < 100; tick++) {
      int turn = tick % 4;
      time.addNative(
          turn,
          turn == 0 ? "CompactionExecutor:1" : "RMI TCP Accept-" + turn,
          turn == 0 ? READ : IDLE);
      if (tick < 50) {
        time.addJava("MemtableFlushWriter:1", MERGE);
      }
    }

    Map<String, Double> seconds = time.seconds(2);

    assertThat(seconds).hasSize(Part.values().length).containsEntry("data", 0.0);
    assertThat(seconds.get("flush")).isEqualTo(1, within(1e-9));
    assertThat(seconds.get("compaction")).isEqualTo(2, within(1e-9));
  }

  @Test
  void a_thread_that_waits_half_of_its_turns_for_the_disk_waits_half_of_the_time() {
    SampledTime time = new SampledTime();
    for (int turn = 0; turn < 40; turn++) {
      time.addNative(1, "RMI TCP Accept-0", IDLE);
      if (turn % 2 == 0) {
        time.addNative(2, "CompactionExecutor:1", READ);
      }
    }

    assertThat(time.seconds(10).get("compaction")).isEqualTo(5, within(1e-9));
  }

  @Test
  void nothing_sampled_is_nothing_said() {
    assertThat(new SampledTime().seconds(3)).isEmpty();
  }

  @Test
  void reads_a_recording_of_this_jvm(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("own.jfr");
    long wallNanos;
    try (Recording recording = new Recording()) {
      for (String event : List.of("jdk.ExecutionSample", "jdk.NativeMethodSample")) {
        recording.enable(event).withPeriod(Duration.ofMillis(FlightRecorder.PERIOD_MILLIS));
      }
      recording.start();
      long start = System.nanoTime();
      Thread busy = new Thread(() -> spin(Duration.ofMillis(700)), "CompactionExecutor:1");
      // a thread that never leaves native code, as servers have several
      try (var accepting = new ServerSocket(0)) {
        Thread idle = new Thread(() -> accept(accepting), "accepting");
        idle.setDaemon(true);
        idle.start();
        busy.start();
        busy.join();
      }
      wallNanos = System.nanoTime() - start;
      recording.stop();
      recording.dump(file);
    }

    Map<String, Double> seconds = RecordedStacks.read(file).seconds(wallNanos / 1e9);

    // a crowded machine samples less: what counts is that it is seen, and not twice
    assertThat(seconds.get("compaction")).isBetween(0.05, 1.5 * wallNanos / 1e9);
  }

  private static void accept(ServerSocket socket) {
    try {
      socket.accept().close();
    } catch (IOException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** Uses so much time of a processor, however long others have it. */
  private static void spin(Duration time) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    double sum = 0;
    while (threads.getCurrentThreadCpuTime() < time.toNanos()) {
      for (int i = 1; i < 10_000; i++) {
        sum += Math.sqrt(i);
      }
    }
    if (sum < 0) {
      throw new IllegalStateException("roots are not negative");
    }
  }
}
