package io.counterpart.cassandra.engine.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.Iterators;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.OfflineStores;
import io.counterpart.cassandra.engine.store.PurgeRule;
import io.counterpart.core.engine.SweepConditions;
import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.StoreStats;
import io.counterpart.engine.conformance.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableSweepTest {
  private static final long NOW = 2_000_000_000L;
  private static final PurgeRule NEVER = new PurgeRule(0, NOW, key -> true);
  private static final Duration DELAY = Duration.ofSeconds(60);
  private static final int PARTITIONS = 30;

  /** A step for each partition. */
  private static final long STEP_BYTES = 1;

  private final Swept table = new Swept();
  private long nanos;
  private long nanosPerStep;
  @TempDir private Path directory;
  private TableMetadata metadata;
  private TableSweep sweep;

  @BeforeEach
  void open() {
    metadata = OfflineStores.pairs();
    table.stores = OfflineStores.opened(directory, "engine", table, metadata);
    sweep = new TableSweep("ks.t", table, () -> nanos, STEP_BYTES);
    sweep.after(DELAY);
    deleted(0, PARTITIONS);
    nanos += DELAY.toNanos();
  }

  private void deleted(int from, int to) {
    List<PartitionUpdate> deletions = new ArrayList<>();
    for (int pk = from; pk < to; pk++) {
      deletions.add(
          PartitionUpdate.simpleBuilder(metadata, pk)
              .timestamp(10)
              .nowInSec(1_000_000_000L)
              .delete()
              .build());
    }
    table.stores.absorb(deletions, () -> NEVER);
  }

  private long partitions() {
    return table.stores.bounds().partitions();
  }

  @Test
  void a_sweep_purges_all_and_the_next_one_waits() {
    sweep.turn();
    assertThat(partitions()).isZero();
    assertThat(table.shrinks).as("a full store takes it").isTrue();

    deleted(0, 3);
    nanos += DELAY.toNanos() - 1;
    sweep.turn();
    assertThat(partitions()).as("before the pause is over").isEqualTo(3);

    nanos++;
    sweep.turn();
    assertThat(partitions()).isZero();
  }

  @Test
  void a_turn_ends_after_a_tenth_of_a_second_and_the_next_one_goes_on() {
    nanosPerStep = Duration.ofMillis(30).toNanos();

    sweep.turn();

    assertThat(partitions()).isEqualTo(PARTITIONS - 4);
    assertThat(sweep.decision().reason()).isEqualTo("the store is swept");
    long rest = 9 * 4 * nanosPerStep;
    nanos += rest - 1;
    sweep.turn();
    assertThat(partitions()).as("it rests nine times as long").isEqualTo(PARTITIONS - 4);
    nanos++;
    for (int turn = 0; partitions() > 0; turn++) {
      assertThat(turn).isLessThan(PARTITIONS);
      sweep.turn();
      nanos += rest;
    }
    assertThat(sweep.decision().reason()).endsWith("is less than 60 s ago");
  }

  @Test
  void the_first_sweep_waits_for_an_hour_at_most() {
    sweep.after(Duration.ofDays(1));
    nanos = Duration.ofHours(1).toNanos() - 1;
    sweep.turn();
    assertThat(partitions()).isEqualTo(PARTITIONS);

    nanos++;
    sweep.turn();
    assertThat(partitions()).isZero();
    assertThat(sweep.decision().reason()).endsWith("is less than 86400 s ago");
  }

  @Test
  void a_sweep_waits_for_a_flush_beside_which_nothing_could_be_purged() {
    table.isCovered = false;
    sweep.turn();
    assertThat(partitions()).isEqualTo(PARTITIONS);
    assertThat(sweep.decision().reason()).startsWith("a flush is running");

    table.isCovered = true;
    sweep.turn();
    assertThat(partitions()).isZero();
  }

  @Test
  void a_sweep_beside_a_table_that_never_rests_ends() {
    // after the turn has begun
    table.changesViewAt = "rule";
    for (int turn = 0; !sweep.decision().reason().contains("ago"); turn++) {
      assertThat(turn).isLessThan(20 * PARTITIONS);
      sweep.turn();
    }
  }

  @Test
  void readers_of_before_have_ended_when_something_is_purged() {
    table.steps.clear();

    sweep.turn();

    assertThat(table.steps).startsWith("log", "view", "readers", "view");
    assertThat(table.steps.indexOf("write")).isGreaterThan(3);
  }

  @Test
  void nothing_is_purged_after_memtables_or_sstables_have_changed() {
    // after the readers of before have ended
    table.changesViewAt = "readers";

    sweep.turn();
    assertThat(partitions()).isEqualTo(PARTITIONS);

    table.changesViewAt = "";
    sweep.turn();
    assertThat(partitions()).isZero();
  }

  @Test
  void nothing_is_purged_while_the_merge_rule_spares_it() {
    table.isElsewhere = true;
    sweep.turn();
    assertThat(partitions()).isEqualTo(PARTITIONS);

    table.isElsewhere = false;
    nanos += DELAY.toNanos();
    sweep.turn();
    assertThat(partitions()).isZero();
  }

  @Test
  void a_turn_ends_where_the_table_s_conditions_do() {
    table.frozenAfter = 3;

    sweep.turn();
    assertThat(partitions()).isBetween(PARTITIONS - 4L, PARTITIONS - 2L);

    table.frozenAfter = Integer.MAX_VALUE;
    sweep.turn();
    assertThat(partitions()).isZero();
  }

  @Test
  void a_sweep_goes_on_some_time_after_its_server_went_away() {
    table.failure = new StoreAwayException("server of a test");
    table.writesUntilFailure = 2;

    sweep.turn();

    assertThat(partitions()).isEqualTo(PARTITIONS - 2);
    table.failure = null;
    sweep.turn();
    assertThat(partitions()).as("it rests").isEqualTo(PARTITIONS - 2);
    nanos += Duration.ofMinutes(1).toNanos();
    sweep.turn();
    assertThat(partitions()).isZero();
  }

  @Test
  void a_store_that_fails_ends_the_sweep_and_the_next_one_begins_anew() {
    table.failure = new StoreException("damaged");
    table.writesUntilFailure = 2;

    assertThatThrownBy(() -> sweep.turn()).isSameAs(table.failure);

    table.failure = null;
    sweep.turn();
    assertThat(partitions()).as("no attempt each second").isEqualTo(PARTITIONS - 2);
    nanos += DELAY.toNanos();
    sweep.turn();
    assertThat(partitions()).isZero();
  }

  @Test
  void what_is_frozen_stays_as_it_is() {
    table.stores.freeze();
    deleted(100, 103);

    sweep.turn();

    assertThat(partitions()).as("frozen").isEqualTo(PARTITIONS);
  }

  @Test
  void a_table_that_was_dropped_ends_its_turn() {
    table.stores.close();

    sweep.turn();

    assertThat(sweep.decision().reason()).isEqualTo("the store is swept");
  }

  @Test
  void a_sweep_that_finds_nothing_waits_for_no_flush() throws Exception {
    sweep.turn();
    table.stores.absorb(List.of(row(1)), () -> NEVER);
    nanos += DELAY.toNanos();
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    // when the flush has the lock of those who write
    Iterable<PartitionUpdate> flush =
        () ->
            Iterators.transform(
                List.of(row(2)).iterator(),
                each -> {
                  hold(began, goOn);
                  return each;
                });
    CompletableFuture<Void> flushing =
        CompletableFuture.runAsync(() -> table.stores.absorb(flush, () -> NEVER));
    assertThat(began.await(10, TimeUnit.SECONDS)).isTrue();

    CompletableFuture.runAsync(sweep::turn).get(10, TimeUnit.SECONDS);

    assertThat(sweep.decision().sweeps()).as("it has ended").isFalse();
    assertThat(flushing).isNotDone();
    goOn.countDown();
    flushing.get(10, TimeUnit.SECONDS);
  }

  private PartitionUpdate row(int pk) {
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(metadata, pk).timestamp(10).nowInSec(NOW);
    update.row().add("v", 1);
    return update.build();
  }

  private static void hold(CountDownLatch began, CountDownLatch goOn) {
    began.countDown();
    try {
      assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A table whose memtables, sstables and readers are made up, and the engine of its store. */
  private final class Swept implements SweptTable, KvEngine {
    private final List<String> steps = new ArrayList<>();
    private Generations stores;
    private Object view = new Object();
    private String changesViewAt = "";
    private boolean isElsewhere;
    private boolean isCovered = true;
    private int frozenAfter = Integer.MAX_VALUE;
    private int writesUntilFailure;
    private boolean shrinks;
    private @Nullable RuntimeException failure;

    @Override
    public Generations stores() {
      return stores;
    }

    @Override
    public SweepConditions conditions() {
      return new SweepConditions(true, false, false, frozenAfter-- <= 0, false);
    }

    @Override
    public PurgeRule mergeRule() {
      happens("rule");
      return new PurgeRule(NOW, NOW, key -> isElsewhere);
    }

    @Override
    public void coverLog() {
      steps.add("log");
    }

    @Override
    public Object view() {
      steps.add("view");
      return view;
    }

    @Override
    public void awaitReaders() {
      happens("readers");
    }

    private void happens(String step) {
      steps.add(step);
      if (changesViewAt.equals(step)) {
        view = new Object();
      }
    }

    @Override
    public boolean isCovered() {
      return isCovered;
    }

    @Override
    public KvStore open(StorePlace place) {
      return new Store();
    }

    private final class Store implements KvStore {
      private final MemoryStore store = new MemoryStore();

      @Override
      public KvSnapshot snapshot() {
        return store.snapshot();
      }

      @Override
      public void write(KvBatch batch) {
        if (failure != null && writesUntilFailure-- <= 0) {
          throw failure;
        }
        nanos += nanosPerStep;
        steps.add("write");
        shrinks = batch.shrinks();
        store.write(batch);
      }

      @Override
      public StoreStats stats() {
        return store.stats();
      }

      @Override
      public void close() {
        store.close();
      }
    }
  }
}
