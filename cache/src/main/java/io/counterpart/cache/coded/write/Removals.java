package io.counterpart.cache.coded.write;

import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;

/** Deletes objects. Belongs to the shard's event loop. */
public final class Removals {
  private final Shard shard;
  private final WriteUpkeep upkeep;
  private final WriteSteps steps;

  public Removals(Shard shard, WriteUpkeep upkeep, WriteSteps steps) {
    this.shard = shard;
    this.upkeep = upkeep;
    this.steps = steps;
  }

  /** Deletes an object; its slot is free afterwards. */
  public void remove(Key key, Version old, Changed done) {
    if (steps.isUnavailable()) {
      done.accept(Written.UNAVAILABLE, 0);
      return;
    }
    Place place = old.place();
    long hash = KeyHash.of(key.bytes());
    steps.enter(
        place,
        () -> {
          if (!shard.hasObject(place, key)) {
            steps.end(place, done, Written.DONE);
            return;
          }
          steps.journalFree(
              key,
              old,
              memoryShort -> {
                // before the record is deleted: it may be all that is left of the object
                shard.free(place, hash);
                shard.recent().remove(key);
                shard
                    .items()
                    .deleteRecord(
                        key,
                        hash,
                        () -> {
                          shard.gates().leave(place.stripe());
                          steps.foldIf(memoryShort, place);
                          upkeep.written(place);
                          // servers that were lost meanwhile may have the old record
                          boolean isSafe = !steps.isUnavailable();
                          done.accept(isSafe ? Written.DONE : Written.UNAVAILABLE, 0);
                        });
              });
        });
  }
}
