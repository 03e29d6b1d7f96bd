package io.counterpart.cache.coded.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DurabilityTest {
  @TempDir private Path directory;

  private final EmbeddedChannel loop = new EmbeddedChannel();
  private final Disk disk = new Disk();
  private final List<String> ran = new ArrayList<>();
  private MetadataLog log;

  @BeforeEach
  void open() throws IOException {
    log = MetadataLog.open(directory.resolve("log"), MetadataOptions.of(3));
  }

  @AfterEach
  void close() throws IOException {
    loop.finishAndReleaseAll();
    log.close();
  }

  @Test
  void what_waits_runs_after_a_checkpoint_that_has_made_it_durable() throws IOException {
    Durability durability = durability(Duration.ofHours(1));
    change(1);
    durability.await(log.end(), () -> ran.add("waiter"));

    log.beginCheckpoint();
    pass(Duration.ofHours(2));

    assertThat(ran).containsExactly("waiter");
  }

  @Test
  void what_comes_after_a_checkpoint_runs_after_what_waits() throws IOException {
    Durability durability = durability(Duration.ofHours(1));
    change(1);
    durability.await(log.end(), () -> ran.add("first"));

    log.beginCheckpoint();
    durability.await(log.end(), () -> ran.add("second"));
    pass(Duration.ofHours(2));

    assertThat(ran).containsExactly("first", "second");
  }

  @Test
  void a_checkpoint_beside_a_slow_sync_is_not_behind() throws IOException {
    Durability durability = durability(Duration.ZERO);
    change(1);
    durability.await(log.end(), () -> {});
    await("the sync is slow").until(durability::isBehind);

    log.beginCheckpoint();

    assertThat(durability.isBehind()).isFalse();
  }

  @Test
  void what_is_requested_while_a_sync_is_under_way_gets_the_next_one() throws IOException {
    Durability durability = durability(Duration.ZERO);
    change(1);
    durability.await(log.end(), () -> {});
    change(2);
    long end = log.end();
    durability.request();

    disk.sync();
    pass(Duration.ofSeconds(1));
    disk.sync();
    pass(Duration.ofSeconds(1));

    assertThat(log.durable()).isGreaterThanOrEqualTo(end);
  }

  @Test
  void a_fault_of_one_that_waits_ends_the_shard() throws IOException {
    Durability durability = durability(Duration.ZERO);
    change(1);
    durability.await(
        log.end(),
        () -> {
          throw new IllegalStateException("a fault");
        });

    disk.sync();
    pass(Duration.ofSeconds(1));

    assertThat(ran).singleElement().asString().contains("a fault of Counterpart");
  }

  private Durability durability(Duration pause) {
    GuardedLoop guarded = new GuardedLoop(loop.eventLoop(), why -> ran.add(why.getMessage()));
    return new Durability(log, guarded, pause, () -> ran.add("failed"), disk);
  }

  private void change(int epoch) throws IOException {
    log.setEpoch(epoch);
  }

  private void pass(Duration time) {
    loop.runPendingTasks();
    loop.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
    loop.runScheduledPendingTasks();
    loop.runPendingTasks();
  }

  /** A disk that syncs when the test says so. */
  private static final class Disk extends AbstractExecutorService {
    private final ArrayDeque<Runnable> syncs = new ArrayDeque<>();

    void sync() {
      while (!syncs.isEmpty()) {
        syncs.remove().run();
      }
    }

    @Override
    public void execute(Runnable sync) {
      syncs.add(sync);
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
