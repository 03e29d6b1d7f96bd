package io.counterpart.cache.coded.write;

import io.counterpart.cache.coded.flow.Gates;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.NewRecord;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.function.Consumer;

/**
 * Writes that move an object to another slot. The metadata hold both places until the parity's
 * journals record the release of the old one. The caller holds the key's lock until the write ends.
 * Belongs to the shard's event loop.
 */
public final class SlotMoves {
  private final Shard shard;
  private final WriteUpkeep upkeep;
  private final WriteSteps steps;
  private final JournalGate gate;

  public SlotMoves(Shard shard, WriteUpkeep upkeep, WriteSteps steps, JournalGate gate) {
    this.gate = gate;
    this.shard = shard;
    this.upkeep = upkeep;
    this.steps = steps;
  }

  /** Writes an object whose record needs another slot: of another class, mostly. */
  public void move(NewRecord record, Version old, Changed done) {
    if (steps.isUnavailable()) {
      done.accept(Written.UNAVAILABLE, 0);
      return;
    }
    Place to = takeBeside(old.place(), record);
    enterBoth(
        old.place(),
        to,
        leaveBoth -> {
          boolean isLost = !shard.hasObject(old.place(), record.key());
          if (isLost) {
            shard.freeSlots().give(to);
            leaveBoth.run();
            done.accept(Written.UNAVAILABLE, 0);
          } else {
            moveWithin(record, old, to, leaveBoth, done);
          }
        });
  }

  /** A free slot that the index can distinguish from the old one: its entries have no chunk. */
  private Place takeBeside(Place old, NewRecord record) {
    Place place = steps.take(record);
    if (place.stripe() != old.stripe() || place.slot() != old.slot()) {
      return place;
    }
    Place other = steps.take(record);
    shard.freeSlots().give(place);
    return other;
  }

  /**
   * Moves an object to another slot of its class and ring. The record stays as it is, on its
   * server, so clients see the same version.
   *
   * @param to the slot, taken before
   * @param done gets whether the object has moved, or why not; then it is in its old place
   */
  public void moveWithinClass(Key key, Version old, Place to, Consumer<Written> done) {
    gate.enter(
        2L * old.bytes().length,
        leave ->
            moveWithinClassNow(
                key,
                old,
                to,
                written -> {
                  leave.run();
                  done.accept(written);
                }));
  }

  private void moveWithinClassNow(Key key, Version old, Place to, Consumer<Written> done) {
    enterBoth(
        old.place(),
        to,
        leaveBoth -> {
          boolean isMoving = shard.placement().oldDataServer(KeyHash.of(key.bytes())) != null;
          if (steps.isUnavailable()
              || isMoving
              || !shard.hasObject(old.place(), key)
              || shard.slotBytes(old.place().stripe()) != shard.slotBytes(to.stripe())) {
            shard.freeSlots().give(to);
            leaveBoth.run();
            done.accept(Written.UNAVAILABLE);
          } else {
            moveAlike(key, old, to, leaveBoth, done);
          }
        });
  }

  /**
   * Moves the object; the metadata have both places until parity's journals know that the old one
   * is free.
   */
  private void moveAlike(
      Key key, Version old, Place to, Runnable leaveBoth, Consumer<Written> done) {
    long hash = KeyHash.of(key.bytes());
    steps.journalInsert(
        key,
        new Version(to, old.bytes(), shard.sequences().next()),
        appended -> {
          if (appended.memoryShort()) {
            shard.freeSlots().give(to);
            leaveBoth.run();
            done.accept(Written.NO_MEMORY);
            return;
          }
          shard.assign(to, key.bytes(), hash);
          shard.pending().add(to, old.bytes(), appended.items());
          // the new place may be only in journals on servers that are lost with the power
          shard.metadata().whenDurable(to.stripe(), () -> leaveAlike(key, old, leaveBoth, done));
        });
  }

  private void leaveAlike(Key key, Version old, Runnable leaveBoth, Consumer<Written> done) {
    steps.journalFree(
        key,
        old,
        memoryShort -> {
          shard.free(old.place(), KeyHash.of(key.bytes()));
          steps.foldIf(memoryShort, old.place());
          leaveBoth.run();
          done.accept(Written.DONE);
        });
  }

  /**
   * Enters two stripes, which may be the same. The stripe with the lower number comes first, which
   * excludes deadlocks.
   *
   * @param body gets a callback that leaves them
   */
  private void enterBoth(Place from, Place to, Consumer<Runnable> body) {
    int first = Math.min(from.stripe(), to.stripe());
    int second = Math.max(from.stripe(), to.stripe());
    Gates<Integer> gates = shard.gates();
    Runnable leave =
        () -> {
          gates.leave(first);
          if (second != first) {
            gates.leave(second);
          }
          upkeep.written(from);
          upkeep.written(to);
        };
    Runnable entered = () -> body.accept(leave);
    gates.enterShared(first, first == second ? entered : () -> gates.enterShared(second, entered));
  }

  private void moveWithin(
      NewRecord record, Version old, Place to, Runnable leaveBoth, Changed done) {
    Key key = record.key();
    Version now = steps.version(record, to);
    steps.journalInsert(
        key,
        now,
        appended -> {
          if (appended.memoryShort()) {
            shard.freeSlots().give(to);
            leaveBoth.run();
            done.accept(Written.NO_MEMORY, 0);
            return;
          }
          shard.assign(to, key.bytes(), KeyHash.of(key.bytes()));
          shard.pending().add(to, now.bytes(), appended.items());
          shard.recent().put(key, now);
          leaveOld(key, old, now, stored -> endMove(key, now, stored, leaveBoth, done));
        });
  }

  /**
   * Frees the old slot in the journals before the new record is sent. The metadata have both places
   * until then, so that after a crash the record shows which one counts.
   */
  private void leaveOld(Key key, Version old, Version now, Consumer<Stored> done) {
    steps.journalFree(
        key,
        old,
        memoryShort ->
            steps.sendRecord(
                key,
                now.bytes(),
                stored -> {
                  shard.free(old.place(), KeyHash.of(key.bytes()));
                  steps.foldIf(memoryShort, old.place());
                  done.accept(stored);
                }));
  }

  private void endMove(Key key, Version now, Stored stored, Runnable leaveBoth, Changed done) {
    if (stored == Stored.NO_MEMORY) {
      steps.freeRefused(
          key,
          now,
          memoryShort -> {
            leaveBoth.run();
            steps.foldIf(memoryShort, now.place());
            done.accept(steps.refused(), 0);
          });
    } else {
      leaveBoth.run();
      done.accept(steps.isUnavailable() ? Written.UNAVAILABLE : Written.DONE, now.cas());
    }
  }
}
