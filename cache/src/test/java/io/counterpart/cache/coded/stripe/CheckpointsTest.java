package io.counterpart.cache.coded.stripe;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CheckpointsTest {
  private static final MetadataOptions SMALL = new MetadataOptions(3, 64 << 10);

  @TempDir private Path directory;

  private final List<String> failures = new ArrayList<>();

  /** Clients' requests may come between any two slices. */
  @Test
  void are_written_in_slices_beside_changes() throws IOException {
    EmbeddedChannel loop = new EmbeddedChannel();
    try (MetadataLog log = MetadataLog.open(directory, SMALL)) {
      int stripe = log.openStripe(0, 7, 0);
      log.assign(stripe, 0, 0, key("stays"));
      while (!log.checkpointDue()) {
        change(log, stripe);
      }
      Checkpoints checkpoints = checkpoints(log, loop);
      checkpoints.begin();

      await()
          .until(
              () -> {
                change(log, stripe);
                pass(loop);
                return Files.notExists(directory.resolve("segment-0000000001.log"));
              });
      checkpoints.end();
      assertThat(log.chunks().key(stripe, 0, 0)).isEqualTo(key("stays"));
    }
    try (MetadataLog log = MetadataLog.open(directory, SMALL)) {
      assertThat(log.chunks().key(0, 0, 0)).isEqualTo(key("stays"));
      assertThat(log.chunks().size()).isOne();
    }
    assertThat(failures).isEmpty();
    loop.finishAndReleaseAll();
  }

  @Test
  void end_the_shard_when_the_disk_fails() throws IOException {
    EmbeddedChannel loop = new EmbeddedChannel();
    try (MetadataLog log = MetadataLog.open(directory, SMALL)) {
      int stripe = log.openStripe(0, 7, 0);
      while (!log.checkpointDue()) {
        change(log, stripe);
      }
      // a new start cannot be written
      Files.createDirectories(directory.resolve("start.new").resolve("in the way"));
      Checkpoints checkpoints = checkpoints(log, loop);
      checkpoints.begin();

      await()
          .until(
              () -> {
                pass(loop);
                return failures.contains("the log has failed");
              });
      checkpoints.end();
    }
    loop.finishAndReleaseAll();
  }

  private Checkpoints checkpoints(MetadataLog log, EmbeddedChannel loop) {
    GuardedLoop guarded = new GuardedLoop(loop.eventLoop(), why -> failures.add(why.toString()));
    return new Checkpoints(log, guarded, () -> failures.add("the log has failed"));
  }

  private static void change(MetadataLog log, int stripe) throws IOException {
    log.assign(stripe, 1, 1, key("here and gone"));
    log.free(stripe, 1, 1);
  }

  private static void pass(EmbeddedChannel loop) {
    loop.runPendingTasks();
    loop.advanceTimeBy(10, TimeUnit.MILLISECONDS);
    loop.runScheduledPendingTasks();
  }

  private static byte[] key(String text) {
    return text.getBytes(US_ASCII);
  }
}
