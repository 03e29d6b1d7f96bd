package io.counterpart.baselines;

import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.scaling.Migration;
import io.counterpart.cache.coded.shard.MovingSlots;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.ring.KeyHash;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Migration of the scheme ccmemcached: copies objects to their new servers, then moves them batch
 * by batch from the chunks of the old servers to chunks of the new ones. It begins once the writes
 * under way have ended, and delays others until then. Belongs to the shard's event loop. Paper:
 * ECHash §2.3, §2.4 (example 1); the batches are ours.
 */
final class CcmemcachedMigration implements Migration.Step {
  /** Stripes at once. 128 would be no faster, and degraded reads would wait half as long again. */
  private static final int STRIPES_AT_ONCE = 64;

  private static final int BATCH_BYTES = 512 << 10;
  private static final int BATCHES_AT_ONCE = 4;

  private final ShardServices services;
  private final Shard shard;
  private final RecordMove recordMove;

  /** Objects for the next batches, by slot class. */
  private final Map<Integer, List<Moved>> waiting = new TreeMap<>();

  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private @Nullable MovingSlots slots;
  private @Nullable StripeRelocation relocation;
  private int underWay;
  private boolean isComplete = true;
  private @Nullable Consumer<Boolean> ended;

  /**
   * @param recordMove order of copying and deleting
   */
  CcmemcachedMigration(ShardServices services, RecordMove recordMove) {
    this.services = services;
    this.shard = services.shard();
    this.recordMove = recordMove;
    // writes under way may still put objects into chunks of their old servers
    shard.locks().pause(this::findObjects);
  }

  private void findObjects() {
    MovingSlots moving = new MovingSlots(shard, List.of());
    slots = moving;
    relocation = new StripeRelocation(services, moving, recordMove, this::take);
    shard.locks().resume();
    proceed();
  }

  @Override
  public int stripesAtOnce() {
    return STRIPES_AT_ONCE;
  }

  @Override
  public void begin(int stripe, Consumer<Boolean> moved) {
    if (isHeld()) {
      held.add(() -> begin(stripe, moved));
      return;
    }
    StripeRelocation objects = Objects.requireNonNull(relocation);
    if (isOpenToBeLeft(stripe)) {
      // its objects are in no parity yet
      services
          .folding()
          .fold(
              stripe,
              () -> {
                if (shard.stripes().state(stripe) == StripeState.OPEN) {
                  moved.accept(false);
                } else {
                  objects.begin(stripe, moved);
                }
              });
    } else {
      objects.begin(stripe, moved);
    }
  }

  private boolean isHeld() {
    return relocation == null || underWay >= BATCHES_AT_ONCE;
  }

  private boolean isOpenToBeLeft(int stripe) {
    if (shard.stripes().state(stripe) != StripeState.OPEN) {
      return false;
    }
    boolean[] found = new boolean[1];
    Objects.requireNonNull(slots)
        .forEach(
            stripe,
            within -> {
              Place place = new Place(stripe, Place.chunk(within), Place.slot(within));
              byte[] key = shard.metadata().key(place);
              found[0] |= key != null && !shard.placement().isHome(place, KeyHash.of(key));
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
            recordMove,
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
    while (!isHeld() && !held.isEmpty()) {
      held.remove().run();
    }
    Consumer<Boolean> told = ended;
    if (relocation != null && underWay == 0 && told != null) {
      boolean complete = isComplete;
      ended = null;
      isComplete = true;
      told.accept(complete);
    }
  }

  /** Begins the last batches, and reports when all have ended. */
  @Override
  public void end(Consumer<Boolean> moved) {
    isComplete &= relocation != null; // there were no stripes yet, but there may be by then
    Map<Integer, List<Moved>> rest = new TreeMap<>(waiting);
    waiting.clear();
    underWay++; // so that no batch is the last one before all have begun
    rest.forEach(this::start);
    underWay--;
    ended = moved;
    proceed();
  }
}
