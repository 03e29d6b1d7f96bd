package io.counterpart.cache.shards;

import io.counterpart.cache.backend.SummedStatistics;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.PassingTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.TierCall;
import io.counterpart.cache.tier.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The objects of all shards, for the clients of one event loop. The hash of a key decides its
 * shard, by bits that no shard uses for anything else. Belongs to that event loop.
 */
public final class ShardedObjects extends PassingTier {
  private final List<ObjectTier> shards;

  /**
   * @param shards as this event loop reaches them, by number
   */
  public ShardedObjects(List<ObjectTier> shards) {
    this.shards = List.copyOf(shards);
  }

  private ObjectTier of(Key key) {
    return shards.get(KeyHash.shard(KeyHash.of(key.bytes()), shards.size()));
  }

  @Override
  public long readBytes(Key key) {
    return of(key).readBytes(key);
  }

  @Override
  public long writeBytes(Key key, int valueBytes) {
    return of(key).writeBytes(key, valueBytes);
  }

  /** Most operations are reads: these cost no object each. */
  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    of(key).get(key, options, done);
  }

  /** Passes on an operation on a key. */
  @Override
  protected <T> void pass(TierCall<T> call, Consumer<T> done) {
    call.on(of(Objects.requireNonNull(call.key())), done);
  }

  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    List<Map<String, Long>> all = new ArrayList<>();
    for (ObjectTier shard : shards) {
      shard.statistics(
          group,
          numbers -> {
            all.add(numbers);
            if (all.size() == shards.size()) {
              // each has plain ones, or is not reached: the rest would look like the sum
              boolean isPart = group.isEmpty() && all.stream().anyMatch(Map::isEmpty);
              done.accept(isPart ? Map.of() : SummedStatistics.sum(all));
            }
          });
    }
  }

  /**
   * Deletes the objects of all shards. Each gets it behind the earlier operations of this event
   * loop, so a client that has the answer finds nothing that was there before.
   */
  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    List<WriteOutcome> all = new ArrayList<>();
    for (ObjectTier shard : shards) {
      shard.flushAll(
          delaySeconds,
          outcome -> {
            all.add(outcome);
            if (all.size() == shards.size()) {
              done.accept(worst(all));
            }
          });
    }
  }

  private static WriteOutcome worst(List<WriteOutcome> all) {
    return all.stream()
        .filter(outcome -> outcome.status() != Status.DONE)
        .findFirst()
        .orElse(all.get(0));
  }
}
