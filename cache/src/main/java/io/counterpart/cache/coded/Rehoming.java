package io.counterpart.cache.coded;

import io.counterpart.cache.coded.Relocation.Moved;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.ring.KeyHash;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Migration of the scheme ccmemcached: objects go to their new servers, then from the chunks of
 * their old servers into those of the new ones, batch by batch. Belongs to the shard's event loop.
 * Paper: ECHash §2.3, §2.4 (example 1); the batches are ours.
 */
final class Rehoming implements Migration.Step {
  private static final int BATCH_BYTES = 512 << 10;
  private static final int BATCHES_AT_ONCE = 4;

  private final Shard shard;
  private final Folding folding;
  private final CodedStatistics statistics;
  private final Relocation relocation;

  /** Objects for the next batches, by slot class. */
  private final Map<Integer, List<Moved>> waiting = new TreeMap<>();

  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private int underWay;
  private boolean isComplete = true;
  private @Nullable Consumer<Boolean> ended;

  /**
   * @param resumed as {@link Relocation} has it
   */
  Rehoming(Shard shard, Folding folding, CodedStatistics statistics, boolean resumed) {
    this.shard = shard;
    this.folding = folding;
    this.statistics = statistics;
    this.relocation = new Relocation(shard, statistics, resumed, this::take);
  }

  @Override
  public void begin(int stripe, Consumer<Boolean> moved) {
    if (underWay >= BATCHES_AT_ONCE) {
      held.add(() -> begin(stripe, moved));
    } else if (isOpenToBeLeft(stripe)) {
      // an object in an open stripe is in its journal alone, which would bring it back
      folding.fold(
          stripe,
          () -> {
            if (shard.stripes().state(stripe) == StripeState.OPEN) {
              moved.accept(false);
            } else {
              relocation.begin(stripe, moved);
            }
          });
    } else {
      relocation.begin(stripe, moved);
    }
  }

  private boolean isOpenToBeLeft(int stripe) {
    if (shard.stripes().state(stripe) != StripeState.OPEN) {
      return false;
    }
    DataRings layout = new DataRings(shard.stripes().layout(stripe));
    int slots = shard.slotsPerChunk(stripe);
    for (int chunk = 0; chunk < shard.code().k(); chunk++) {
      if (shard.placement().changes(layout.ring(chunk))) {
        for (int slot = 0; slot < slots; slot++) {
          byte[] key = shard.metadata().key(stripe, chunk, slot);
          if (key != null && !shard.placement().isHome(stripe, chunk, KeyHash.of(key))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private void take(Moved moved) {
    if (shard.stripes().state(moved.place().stripe()) == StripeState.FREE) {
      return; // everything was deleted meanwhile
    }
    int slotClass = shard.stripes().slotClass(moved.place().stripe());
    List<Moved> batch = waiting.computeIfAbsent(slotClass, number -> new ArrayList<>());
    batch.add(moved);
    if (batch.size() * shard.slotBytes(moved.place().stripe()) >= BATCH_BYTES) {
      waiting.remove(slotClass);
      start(slotClass, batch);
    }
  }

  private void start(int slotClass, List<Moved> batch) {
    underWay++;
    new RehomingBatch(
            shard,
            folding,
            statistics,
            slotClass,
            batch,
            complete -> {
              isComplete &= complete;
              underWay--;
              proceed();
            })
        .begin();
  }

  private void proceed() {
    while (underWay < BATCHES_AT_ONCE && !held.isEmpty()) {
      held.remove().run();
    }
    Consumer<Boolean> told = ended;
    if (underWay == 0 && told != null) {
      boolean complete = isComplete;
      ended = null;
      isComplete = true;
      told.accept(complete);
    }
  }

  @Override
  public void end(Consumer<Boolean> moved) {
    Map<Integer, List<Moved>> rest = new TreeMap<>(waiting);
    waiting.clear();
    underWay++; // so that none of these is the last one before all have begun
    rest.forEach(this::start);
    underWay--;
    ended = moved;
    proceed();
  }
}
