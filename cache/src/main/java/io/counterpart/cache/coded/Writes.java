package io.counterpart.cache.coded;

import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.JournalEntry.Kind;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;

/**
 * Writes into slots, in the order of a write-ahead log: journals on the parity servers, then the
 * metadata, then the record. The caller holds the key's lock until it is told the end. Belongs to
 * the shard's event loop. Paper: ECHash §4.4 (writes and updates); the order is ours.
 */
final class Writes {
  private final Shard shard;
  private final WriteUpkeep upkeep;

  Writes(Shard shard, WriteUpkeep upkeep) {
    this.shard = shard;
    this.upkeep = upkeep;
  }

  /** Writes an object that does not exist. */
  void insert(NewRecord record, CodedObjects.Changed done) {
    if (isUnavailable()) {
      done.accept(Written.UNAVAILABLE, 0);
      return;
    }
    Key key = record.key();
    Place place = shard.freeSlots().take(record.slotClass(), ring(key));
    enter(
        place,
        () -> {
          if (!suits(place, key)) {
            giveBack(place);
            insert(record, done);
            return;
          }
          Version now = version(record, place);
          Version nothing = new Version(place, Xor.nothing(), 0);
          journal(
              Kind.INSERT,
              nothing,
              now,
              now.bytes(),
              key,
              appended -> {
                if (appended.memoryShort()) {
                  shard.freeSlots().give(place);
                  end(place, done, Written.NO_MEMORY);
                } else {
                  shard.assign(place, key.bytes(), KeyHash.of(key.bytes()));
                  shard.pending().add(place, now.bytes(), appended.items());
                  shard.recent().put(key, now);
                  send(key, now, appended, done);
                }
              });
        });
  }

  /** With the next sequence, taken within the stripe: folding tells by it what was before. */
  private Version version(NewRecord record, Place place) {
    long sequence = shard.sequences().next();
    return new Version(place, record.encode(sequence), sequence);
  }

  /** Servers may have changed while the stripe was busy. */
  private boolean suits(Place place, Key key) {
    return shard.placement().suits(place, KeyHash.of(key.bytes()));
  }

  private void giveBack(Place place) {
    shard.freeSlots().give(place);
    shard.gates().leave(place.stripe());
  }

  /** Writes an object anew whose record stays in the same class. */
  void update(NewRecord record, Version old, CodedObjects.Changed done) {
    if (isUnavailable()) {
      done.accept(Written.UNAVAILABLE, 0);
      return;
    }
    Key key = record.key();
    Place place = old.place();
    enter(
        place,
        () -> {
          if (!shard.hasObject(place)) {
            end(place, done, Written.UNAVAILABLE); // decided on what was lost meanwhile
            return;
          }
          if (!suits(place, key)) {
            shard.gates().leave(place.stripe());
            move(record, old, done);
            return;
          }
          Version now = version(record, place);
          byte[] delta = Xor.of(old.bytes(), now.bytes());
          journal(
              Kind.UPDATE,
              old,
              now,
              delta,
              key,
              appended -> {
                if (appended.memoryShort()) {
                  end(place, done, Written.NO_MEMORY);
                } else {
                  shard.pending().add(place, delta, appended.items());
                  shard.recent().put(key, now);
                  send(key, now, appended, done);
                }
              });
        });
  }

  /** Sends the record, then leaves the stripe. */
  private void send(Key key, Version now, Journal.Appended appended, CodedObjects.Changed done) {
    sendRecord(
        key,
        now.bytes(),
        stored -> {
          shard.gates().leave(now.place().stripe());
          if (stored == Stored.NO_MEMORY) {
            remove(key, now, (ignored, none) -> done.accept(Written.NO_MEMORY, 0));
          } else {
            boolean nowhere = stored == Stored.LOST && appended.items().isEmpty();
            upkeep.written(now.place());
            done.accept(
                nowhere || isUnavailable() ? Written.UNAVAILABLE : Written.DONE, now.sequence());
          }
        });
  }

  private void sendRecord(Key key, byte[] record, Consumer<Stored> done) {
    shard.items().setRecord(key, KeyHash.of(key.bytes()), Unpooled.wrappedBuffer(record), done);
  }

  /** Deletes an object; its slot is free afterwards. */
  void remove(Key key, Version old, CodedObjects.Changed done) {
    if (isUnavailable()) {
      done.accept(Written.UNAVAILABLE, 0);
      return;
    }
    Place place = old.place();
    long hash = KeyHash.of(key.bytes());
    enter(
        place,
        () -> {
          if (!shard.hasObject(place)) {
            end(place, done, Written.DONE);
            return;
          }
          journalFree(
              key,
              old,
              memoryShort -> {
                // before the record goes: it may be all that there is of the object
                shard.free(place, hash);
                shard.recent().remove(key);
                shard
                    .items()
                    .deleteRecord(
                        key,
                        hash,
                        () -> {
                          shard.gates().leave(place.stripe());
                          foldIf(memoryShort, place);
                          upkeep.written(place);
                          done.accept(Written.DONE, 0);
                        });
              });
        });
  }

  /** Notes that a slot becomes free; without memory for an entry, parity takes it at once. */
  private void journalFree(Key key, Version old, Consumer<Boolean> done) {
    Version nothing = new Version(old.place(), Xor.nothing(), shard.sequences().next());
    journal(
        Kind.FREE,
        old,
        nothing,
        old.bytes(),
        key,
        appended -> {
          shard.pending().add(old.place(), old.bytes(), appended.items());
          done.accept(appended.memoryShort());
        });
  }

  private void foldIf(boolean memoryShort, Place place) {
    if (memoryShort) {
      upkeep.fold(place.stripe());
    }
  }

  /** Writes an object anew whose record needs a slot of another class, or in another ring. */
  void move(NewRecord record, Version old, CodedObjects.Changed done) {
    if (isUnavailable()) {
      done.accept(Written.UNAVAILABLE, 0);
      return;
    }
    Place to = takeBeside(old.place(), record);
    enterBoth(
        old.place(),
        to,
        leaveBoth -> {
          boolean isLost = !shard.hasObject(old.place());
          if (!isLost && suits(to, record.key())) {
            moveWithin(record, old, to, leaveBoth, done);
            return;
          }
          shard.freeSlots().give(to);
          leaveBoth.run();
          if (isLost) {
            done.accept(Written.UNAVAILABLE, 0);
          } else {
            move(record, old, done);
          }
        });
  }

  /** A free slot that the index can tell from the old one: the chunk is not in it. */
  private Place takeBeside(Place old, NewRecord record) {
    int ring = ring(record.key());
    Place place = shard.freeSlots().take(record.slotClass(), ring);
    if (place.stripe() != old.stripe() || place.slot() != old.slot()) {
      return place;
    }
    Place other = shard.freeSlots().take(record.slotClass(), ring);
    shard.freeSlots().give(place);
    return other;
  }

  /**
   * Gives an object another slot of its class and ring: its record stays as it is, on its server,
   * so that clients see the same version.
   *
   * @param to that was taken
   * @param done gets whether it has the slot, or why not; then it is where it was
   */
  void moveWithinClass(Key key, Version old, Place to, Consumer<Written> done) {
    enterBoth(
        old.place(),
        to,
        leaveBoth -> {
          boolean isMoving = shard.placement().oldDataServer(KeyHash.of(key.bytes())) != null;
          if (isUnavailable() || isMoving || !shard.hasObject(old.place()) || !suits(to, key)) {
            shard.freeSlots().give(to);
            leaveBoth.run();
            done.accept(Written.UNAVAILABLE);
          } else {
            moveAlike(key, old, to, leaveBoth, done);
          }
        });
  }

  /** The metadata have both places until parity's journals know that the old one is left. */
  private void moveAlike(
      Key key, Version old, Place to, Runnable leaveBoth, Consumer<Written> done) {
    long hash = KeyHash.of(key.bytes());
    journal(
        Kind.INSERT,
        new Version(to, Xor.nothing(), 0),
        new Version(to, old.bytes(), shard.sequences().next()),
        old.bytes(),
        key,
        appended -> {
          if (appended.memoryShort()) {
            shard.freeSlots().give(to);
            leaveBoth.run();
            done.accept(Written.NO_MEMORY);
            return;
          }
          shard.assign(to, key.bytes(), hash);
          shard.pending().add(to, old.bytes(), appended.items());
          journalFree(
              key,
              old,
              memoryShort -> {
                shard.free(old.place(), hash);
                foldIf(memoryShort, old.place());
                leaveBoth.run();
                done.accept(Written.DONE);
              });
        });
  }

  /**
   * @param body gets what leaves both stripes
   */
  private void enterBoth(Place from, Place to, Consumer<Runnable> body) {
    shard
        .gates()
        .enterBoth(
            from.stripe(),
            to.stripe(),
            leave ->
                body.accept(
                    () -> {
                      leave.run();
                      upkeep.written(from);
                      upkeep.written(to);
                    }));
  }

  private void moveWithin(
      NewRecord record, Version old, Place to, Runnable leaveBoth, CodedObjects.Changed done) {
    Key key = record.key();
    Version now = version(record, to);
    journal(
        Kind.INSERT,
        new Version(to, Xor.nothing(), 0),
        now,
        now.bytes(),
        key,
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
          leaveOld(
              key,
              old,
              now,
              stored -> {
                leaveBoth.run();
                endMove(key, now, stored, done);
              });
        });
  }

  /**
   * The old slot is known to be free before the record is not the old one any more; the metadata
   * have both places until then, so that the record tells after a crash which one counts.
   */
  private void leaveOld(Key key, Version old, Version now, Consumer<Stored> done) {
    journalFree(
        key,
        old,
        memoryShort ->
            sendRecord(
                key,
                now.bytes(),
                stored -> {
                  shard.free(old.place(), KeyHash.of(key.bytes()));
                  foldIf(memoryShort, old.place());
                  done.accept(stored);
                }));
  }

  private void endMove(Key key, Version now, Stored stored, CodedObjects.Changed done) {
    if (stored == Stored.NO_MEMORY) {
      remove(key, now, (ignored, none) -> done.accept(Written.NO_MEMORY, 0));
    } else {
      done.accept(isUnavailable() ? Written.UNAVAILABLE : Written.DONE, now.sequence());
    }
  }

  /**
   * Appends an entry.
   *
   * @param delta the old bytes xor the new ones
   */
  private void journal(
      Kind kind, Version old, Version now, byte[] delta, Key key, Consumer<Journal.Appended> done) {
    Place place = now.place();
    shard
        .journal()
        .append(
            shard.placement().parityServers(place.stripe()),
            new JournalEntry(
                kind,
                place.stripe(),
                place.chunk(),
                place.slot(),
                now.sequence(),
                old.sequence(),
                Unpooled.wrappedBuffer(delta),
                Unpooled.wrappedBuffer(key.bytes())),
            done);
  }

  private void enter(Place place, Runnable body) {
    shard.gates().enterShared(place.stripe(), body);
  }

  private void end(Place place, CodedObjects.Changed done, Written written) {
    shard.gates().leave(place.stripe());
    done.accept(written, 0);
  }

  private int ring(Key key) {
    return shard.placement().ring(KeyHash.of(key.bytes()));
  }

  private boolean isUnavailable() {
    return shard.placement().ringsDown() > shard.code().parityCount();
  }
}
