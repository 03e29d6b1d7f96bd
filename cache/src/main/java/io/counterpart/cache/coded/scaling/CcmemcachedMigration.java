package io.counterpart.cache.coded.scaling;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.scaling.Relocation.Moved;
import io.counterpart.cache.coded.shard.MovingSlots;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
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
 * Migration of the scheme ccmemcached: copies objects to their new servers, then moves them batch
 * by batch from the chunks of the old servers to chunks of the new ones. Belongs to the shard's
 * event loop. Paper: ECHash §2.3, §2.4 (example 1); the batches are ours.
 */
public final class CcmemcachedMigration implements Migration.Step {
  /** Stripes at once. 128 would be no faster, and degraded reads would wait half as long again. */
  private static final int STRIPES_AT_ONCE = 64;

  private static final int BATCH_BYTES = 512 << 10;
  private static final int BATCHES_AT_ONCE = 4;

  private final ShardServices services;
  private final Shard shard;
  private final MovingSlots slots;
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
  public CcmemcachedMigration(ShardServices services, boolean resumed) {
    this.services = services;
    this.shard = services.shard();
    this.slots = new MovingSlots(shard, resumed);
    this.relocation = new Relocation(services, resumed, slots, this::take);
  }

  @Override
  public int stripesAtOnce() {
    return STRIPES_AT_ONCE;
  }

  @Override
  public void begin(int stripe, Consumer<Boolean> moved) {
    if (underWay >= BATCHES_AT_ONCE) {
      held.add(() -> begin(stripe, moved));
    } else if (isOpenToBeLeft(stripe)) {
      // only the journal protects an object of an open stripe, and would bring it back
      services
          .folding()
          .fold(
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
    boolean[] found = new boolean[1];
    slots.forEach(
        stripe,
        within -> {
          int chunk = Place.chunk(within);
          byte[] key = shard.metadata().key(stripe, chunk, Place.slot(within));
          found[0] |= key != null && !shard.placement().isHome(stripe, chunk, KeyHash.of(key));
        });
    return found[0];
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
    new CcmemcachedBatch(
            services,
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
    endBatches(
        complete -> {
          isComplete &= complete;
          List<Place> late = shard.placement().takeLate();
          if (late.isEmpty()) {
            boolean all = isComplete;
            isComplete = true;
            moved.accept(all);
          } else {
            moveLate(late, () -> end(moved));
          }
        });
  }

  /**
   * Moves the objects of writes that had begun before servers changed; no batch has such an object
   * now.
   */
  private void moveLate(List<Place> late, Runnable next) {
    slots.add(late);
    List<Integer> stripes = late.stream().map(Place::stripe).distinct().toList();
    Countdown countdown = new Countdown(stripes.size(), next);
    for (int stripe : stripes) {
      begin(
          stripe,
          complete -> {
            isComplete &= complete;
            countdown.oneLess();
          });
    }
  }

  /** Begins the last batches, and reports when all have ended. */
  private void endBatches(Consumer<Boolean> told) {
    Map<Integer, List<Moved>> rest = new TreeMap<>(waiting);
    waiting.clear();
    underWay++; // so that no batch is the last one before all have begun
    rest.forEach(this::start);
    underWay--;
    ended = told;
    proceed();
  }
}
