package io.counterpart.cache.store;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.flow.Gates;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.WriteOutcome;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keys whose copy in memory may be older than the store's, because memory missed a write. They are
 * read from the store until memory has deleted or replaced the copy. A marker in the store covers a
 * crash of the proxy: the next proxy empties memory. Belongs to the tier's event loop.
 */
final class UnsettledKeys {
  private static final int BATCH = 64;

  private final ObjectTier memory;
  private final Marker marker;
  private final Gates<Key> turns;
  private final GuardedLoop loop;
  private final int limit;
  private final long retryMillis;
  private final StoreStatistics statistics;
  private final Set<Key> keys = new LinkedHashSet<>();
  private boolean emptying;
  private boolean scheduled;
  private boolean ended;

  UnsettledKeys(
      ObjectTier memory,
      Marker marker,
      Gates<Key> turns,
      GuardedLoop loop,
      StoreLimits limits,
      StoreStatistics statistics) {
    this.memory = memory;
    this.marker = marker;
    this.turns = turns;
    this.loop = loop;
    this.statistics = statistics;
    limit = limits.unsettledKeys();
    retryMillis = limits.retry().toMillis();
  }

  /** Whether memory has no outdated copy of this key. */
  boolean isTrusted(Key key) {
    return !emptying && (keys.isEmpty() || !keys.contains(key));
  }

  /** Whether memory is being emptied, and must be neither read nor written before that is done. */
  boolean isEmptying() {
    return emptying;
  }

  /** Whether changes have to delete the copy in memory first. */
  boolean isFull() {
    return keys.size() >= limit;
  }

  /**
   * Makes reads of a key ask the store.
   *
   * @param done gets whether that survives a crash of the proxy
   */
  void add(Key key, Consumer<Boolean> done) {
    if (ended) {
      done.accept(false);
      return;
    }
    if (keys.add(key)) {
      statistics.unsettledKeys().add(1);
    }
    schedule();
    marker.set(done);
  }

  /** Removes a key, because memory has its newest value, or none. */
  void settle(Key key) {
    if (!keys.isEmpty() && keys.remove(key)) {
      statistics.unsettledKeys().add(-1);
    }
  }

  /** Empties memory; nothing is read from it before. */
  void emptyMemory() {
    emptying = true;
    round();
  }

  /** Whether no copy remains after a deletion. */
  static boolean isGone(WriteOutcome deletion) {
    return deletion.status() == Status.DONE || deletion.status() == Status.NOT_FOUND;
  }

  private void schedule() {
    if (!scheduled && !ended && !loop.netty().isShuttingDown()) {
      scheduled = true;
      loop.schedule(this::due, retryMillis, TimeUnit.MILLISECONDS);
    }
  }

  private void due() {
    scheduled = false;
    if (!ended) {
      round();
    }
  }

  /** Ends all work: memory is not used any more. The marker tells the next owner. */
  void end() {
    ended = true;
    statistics.unsettledKeys().add(-keys.size());
    keys.clear();
  }

  private void round() {
    if (emptying) {
      memory.flushAll(
          0,
          outcome -> {
            emptying = outcome.status() != Status.DONE;
            schedule();
          });
    } else if (keys.isEmpty()) {
      marker.clear(
          () -> emptying || !keys.isEmpty(),
          ended -> {
            if (!ended) {
              schedule();
            }
          });
    } else {
      settleSome(keys.stream().limit(BATCH).toList());
    }
  }

  private void settleSome(List<Key> batch) {
    int[] left = {batch.size(), 0};
    for (Key key : batch) {
      turns.enterAlone(
          key,
          () ->
              deleteCopy(
                  key,
                  settled -> {
                    turns.leave(key);
                    left[1] += settled ? 0 : 1;
                    if (--left[0] == 0) {
                      goOn(left[1] == 0);
                    }
                  }));
    }
  }

  private void deleteCopy(Key key, Consumer<Boolean> done) {
    if (!keys.contains(key)) {
      done.accept(true);
      return;
    }
    memory.delete(
        DeleteCommand.of(key),
        outcome -> {
          boolean settled = isGone(outcome);
          if (settled) {
            settle(key);
          } else {
            keys.remove(key); // behind the other keys
            keys.add(key);
          }
          done.accept(settled);
        });
  }

  private void goOn(boolean allSettled) {
    if (allSettled && !scheduled) {
      scheduled = true;
      loop.execute(this::due);
    } else {
      schedule();
    }
  }
}
