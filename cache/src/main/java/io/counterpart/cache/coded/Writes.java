package io.counterpart.cache.coded;

import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.JournalEntry.Kind;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeState;
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
  private static final int FOLDS_AT_ONCE = 32;

  private final Shard shard;
  private final Folding folding;
  private final long journalBytes;
  private int foldsUnderWay;

  /**
   * @param journalBytes bytes of journals, all copies, above which they are folded
   */
  Writes(Shard shard, Folding folding, long journalBytes) {
    this.shard = shard;
    this.folding = folding;
    this.journalBytes = journalBytes;
  }

  /** Writes an object that does not exist. */
  void insert(Key key, byte[] record, long sequence, Consumer<Written> done) {
    if (isUnavailable()) {
      done.accept(Written.UNAVAILABLE);
      return;
    }
    long hash = KeyHash.of(key.bytes());
    Place place = shard.freeSlots().take(SlotClasses.of(record.length), ring(hash));
    enter(
        place,
        () ->
            journal(
                Kind.INSERT,
                place,
                new Version(place, Xor.nothing(), 0),
                record,
                sequence,
                key,
                appended -> {
                  if (appended.memoryShort()) {
                    shard.freeSlots().give(place);
                    end(place, done, Written.NO_MEMORY);
                  } else {
                    shard.assign(place, key.bytes(), hash);
                    shard.pending().add(place, record, sequence, appended.items());
                    send(key, hash, new Version(place, record, sequence), appended, done);
                  }
                }));
  }

  /** Writes an object anew whose record stays in the same class. */
  void update(Key key, Version old, byte[] record, long sequence, Consumer<Written> done) {
    if (isUnavailable()) {
      done.accept(Written.UNAVAILABLE);
      return;
    }
    Place place = old.place();
    enter(
        place,
        () ->
            journal(
                Kind.UPDATE,
                place,
                old,
                record,
                sequence,
                key,
                appended -> {
                  if (appended.memoryShort()) {
                    end(place, done, Written.NO_MEMORY);
                  } else {
                    byte[] delta = Xor.of(old.bytes(), record);
                    shard.pending().add(place, delta, sequence, appended.items());
                    Version now = new Version(place, record, sequence);
                    send(key, KeyHash.of(key.bytes()), now, appended, done);
                  }
                }));
  }

  /** Sends the record, then leaves the stripe. */
  private void send(
      Key key, long hash, Version now, Journal.Appended appended, Consumer<Written> done) {
    sendRecord(
        key,
        hash,
        now.bytes(),
        stored -> {
          shard.gates().leave(now.place().stripe());
          if (stored == Stored.NO_MEMORY) {
            remove(key, now, ignored -> done.accept(Written.NO_MEMORY));
          } else {
            boolean nowhere = stored == Stored.LOST && appended.items().isEmpty();
            settle(now.place());
            done.accept(nowhere || isUnavailable() ? Written.UNAVAILABLE : Written.DONE);
          }
        });
  }

  private void sendRecord(Key key, long hash, byte[] record, Consumer<Stored> done) {
    shard.items().setRecord(key, hash, Unpooled.wrappedBuffer(record), done);
  }

  /** Deletes an object; its slot is free afterwards. */
  void remove(Key key, Version old, Consumer<Written> done) {
    if (isUnavailable()) {
      done.accept(Written.UNAVAILABLE);
      return;
    }
    Place place = old.place();
    long hash = KeyHash.of(key.bytes());
    long sequence = shard.sequences().next();
    enter(
        place,
        () ->
            journal(
                Kind.FREE,
                place,
                old,
                Xor.nothing(),
                sequence,
                key,
                appended -> {
                  // without memory for an entry, parity takes the delta at once
                  shard.pending().add(place, old.bytes(), sequence, appended.items());
                  shard
                      .items()
                      .deleteRecord(
                          key,
                          hash,
                          () -> {
                            shard.free(place, hash);
                            shard.gates().leave(place.stripe());
                            if (appended.memoryShort()) {
                              startFold(place.stripe());
                            }
                            settle(place);
                            done.accept(Written.DONE);
                          });
                }));
  }

  /** Writes an object anew whose record needs a slot of another class. */
  void move(Key key, Version old, byte[] record, long sequence, Consumer<Written> done) {
    if (isUnavailable()) {
      done.accept(Written.UNAVAILABLE);
      return;
    }
    long hash = KeyHash.of(key.bytes());
    Place from = old.place();
    Place to = shard.freeSlots().take(SlotClasses.of(record.length), ring(hash));
    Place first = from.stripe() < to.stripe() ? from : to;
    Place second = first == from ? to : from;
    Runnable leaveBoth =
        () -> {
          shard.gates().leave(second.stripe());
          shard.gates().leave(first.stripe());
          settle(from);
          settle(to);
        };
    enter(
        first,
        () ->
            enter(
                second,
                () ->
                    journal(
                        Kind.INSERT,
                        to,
                        new Version(to, Xor.nothing(), 0),
                        record,
                        sequence,
                        key,
                        appended -> {
                          if (appended.memoryShort()) {
                            shard.freeSlots().give(to);
                            leaveBoth.run();
                            done.accept(Written.NO_MEMORY);
                          } else {
                            shard.assign(to, key.bytes(), hash);
                            shard.pending().add(to, record, sequence, appended.items());
                            Version now = new Version(to, record, sequence);
                            leaveOld(
                                key,
                                hash,
                                old,
                                now,
                                stored -> {
                                  leaveBoth.run();
                                  endMove(key, now, stored, done);
                                });
                          }
                        })));
  }

  /** The old slot must be known to be free before the record is not the old one any more. */
  private void leaveOld(Key key, long hash, Version old, Version now, Consumer<Stored> done) {
    long sequence = shard.sequences().next();
    journal(
        Kind.FREE,
        old.place(),
        old,
        Xor.nothing(),
        sequence,
        key,
        appended -> {
          shard.pending().add(old.place(), old.bytes(), sequence, appended.items());
          sendRecord(
              key,
              hash,
              now.bytes(),
              stored -> {
                shard.free(old.place(), hash);
                if (appended.memoryShort()) {
                  startFold(old.place().stripe());
                }
                done.accept(stored);
              });
        });
  }

  private void endMove(Key key, Version now, Stored stored, Consumer<Written> done) {
    if (stored == Stored.NO_MEMORY) {
      remove(key, now, ignored -> done.accept(Written.NO_MEMORY));
    } else {
      done.accept(isUnavailable() ? Written.UNAVAILABLE : Written.DONE);
    }
  }

  private void journal(
      Kind kind,
      Place place,
      Version old,
      byte[] record,
      long sequence,
      Key key,
      Consumer<Journal.Appended> done) {
    byte[] delta = Xor.of(old.bytes(), record);
    shard
        .journal()
        .append(
            shard.placement().parityServers(place.stripe()),
            new JournalEntry(
                kind,
                place.stripe(),
                place.chunk(),
                place.slot(),
                sequence,
                old.sequence(),
                Unpooled.wrappedBuffer(delta),
                Unpooled.wrappedBuffer(key.bytes())),
            done);
  }

  private void enter(Place place, Runnable body) {
    shard.gates().enterShared(place.stripe(), body);
  }

  private void end(Place place, Consumer<Written> done, Written written) {
    shard.gates().leave(place.stripe());
    done.accept(written);
  }

  private int ring(long hash) {
    return shard.placement().ring(hash);
  }

  private boolean isUnavailable() {
    return shard.placement().ringsDown() > shard.code().parityCount();
  }

  /** What a write may have made due: sealing, freeing, folding. */
  private void settle(Place place) {
    int stripe = place.stripe();
    StripeState state = shard.stripes().state(stripe);
    if (state == StripeState.OPEN && isFull(stripe)) {
      startFold(stripe);
    } else if (state == StripeState.SEALED && isEmpty(stripe)) {
      shard.gates().enterAlone(stripe, () -> freeStripe(stripe));
    }
    if (shard.journal().bytes() > journalBytes && foldsUnderWay < FOLDS_AT_ONCE) {
      shard.journal().oldestStripes(FOLDS_AT_ONCE).forEach(this::startFold);
    }
  }

  private void startFold(int stripe) {
    foldsUnderWay++;
    folding.fold(stripe, () -> foldsUnderWay--);
  }

  private boolean isFull(int stripe) {
    int slots = SlotClasses.slotsPerChunk(shard.stripes().slotClass(stripe));
    return shard.stripes().live(stripe) == slots * shard.code().k();
  }

  private boolean isEmpty(int stripe) {
    return shard.stripes().live(stripe) == 0 && !shard.freeSlots().isTaken(stripe);
  }

  private void freeStripe(int stripe) {
    if (shard.stripes().state(stripe) == StripeState.SEALED && isEmpty(stripe)) {
      for (int i = 0; i < shard.code().parityCount(); i++) {
        shard.items().dropParity(stripe, i);
      }
      shard.metadata().freeStripe(stripe);
      shard.journal().release(shard.pending().remove(stripe));
    }
    shard.gates().leave(stripe);
  }
}
