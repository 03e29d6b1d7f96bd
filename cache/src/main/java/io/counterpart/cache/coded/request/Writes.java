package io.counterpart.cache.coded.request;

import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.log.JournalWriter;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.NewRecord;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.coded.stripe.Xor;
import io.counterpart.cache.coded.write.Changed;
import io.counterpart.cache.coded.write.JournalGate;
import io.counterpart.cache.coded.write.Removals;
import io.counterpart.cache.coded.write.SlotMoves;
import io.counterpart.cache.coded.write.WriteSteps;
import io.counterpart.cache.coded.write.WriteUpkeep;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes into slots, in the order of a write-ahead log: journals on n − k + 1 servers, then the
 * record, then the metadata. The caller holds the key's lock until the write ends. Belongs to the
 * shard's event loop. Paper: ECHash §4.4 (writes and updates); the order is ours.
 */
public final class Writes {
  private final Shard shard;
  private final WriteUpkeep upkeep;
  private final WriteSteps steps;
  private final Removals removals;
  private final SlotMoves moves;
  private final JournalGate gate;
  private final InsertAdmission admission;

  public Writes(Shard shard, WriteUpkeep upkeep, JournalGate gate, InsertAdmission admission) {
    this.shard = shard;
    this.upkeep = upkeep;
    this.gate = gate;
    this.admission = admission;
    this.steps = new WriteSteps(shard, upkeep);
    this.removals = new Removals(shard, upkeep, steps);
    this.moves = new SlotMoves(shard, upkeep, steps, gate);
  }

  /** The writes that move objects to other slots. */
  public SlotMoves moves() {
    return moves;
  }

  /** Writes an object that does not exist. */
  void insert(NewRecord record, Changed done) {
    admit(record, null, 0, done, (place, end) -> insert(record, place, end));
  }

  /**
   * Takes a place for which servers have memory; if they have none, tries again after memory was
   * freed.
   *
   * @param replaced see {@link InsertAdmission#ask}
   * @param relievedNanos when the first relief began; 0 before it
   * @param admitted gets the place, and the callback for the outcome
   */
  private void admit(
      NewRecord record,
      byte @Nullable [] replaced,
      long relievedNanos,
      Changed done,
      BiConsumer<Place, Changed> admitted) {
    if (steps.isUnavailable()) {
      done.accept(Written.UNAVAILABLE, 0);
      return;
    }
    Place place = steps.take(record);
    admission.ask(
        record,
        place,
        replaced,
        landed -> {
          if (landed != null) {
            admitted.accept(place, ended(landed, done));
            return;
          }
          shard.freeSlots().give(place);
          if (admission.mayRelieve(relievedNanos)) {
            long since = since(relievedNanos);
            admission.relieve(() -> admit(record, replaced, since, done, admitted));
          } else {
            done.accept(Written.NO_MEMORY, 0);
          }
        });
  }

  private static long since(long relievedNanos) {
    return relievedNanos == 0 ? System.nanoTime() | 1 : relievedNanos;
  }

  private void insert(NewRecord record, Place place, Changed done) {
    gate.enter(record.recordBytes(), leave -> insertNow(record, place, ended(leave, done)));
  }

  private static Changed ended(Runnable leave, Changed done) {
    return (written, sequence) -> {
      leave.run();
      done.accept(written, sequence);
    };
  }

  private void insertNow(NewRecord record, Place place, Changed done) {
    Key key = record.key();
    steps.enter(
        place,
        () -> {
          if (!steps.suits(place, key)) {
            giveBack(place);
            insertNow(record, steps.take(record), done);
            return;
          }
          Version now = steps.version(record, place);
          steps.journalInsert(
              key,
              now,
              appended -> {
                if (appended.memoryShort()) {
                  shard.freeSlots().give(place);
                  steps.end(place, done, Written.NO_MEMORY);
                } else {
                  steps.sendRecord(
                      key, now.bytes(), stored -> inserted(key, now, appended, stored, done));
                }
              });
        });
  }

  /**
   * Enters the object into the metadata. Not earlier: if journals and proxy were lost before the
   * record was sent, nothing could restore the object.
   */
  private void inserted(
      Key key, Version now, JournalWriter.Appended appended, Stored stored, Changed done) {
    Place place = now.place();
    if (isNowhere(appended, stored)) {
      shard.freeSlots().give(place);
      steps.end(place, done, Written.UNAVAILABLE);
      return;
    }
    shard.assign(place, key.bytes(), KeyHash.of(key.bytes()));
    shard.pending().add(place, now.bytes(), appended.items());
    shard.recent().put(key, now);
    end(key, now, appended, stored, done);
  }

  private static boolean isNowhere(JournalWriter.Appended appended, Stored stored) {
    return stored == Stored.LOST && appended.items().isEmpty();
  }

  private void giveBack(Place place) {
    shard.freeSlots().give(place);
    shard.gates().leave(place.stripe());
  }

  /** Writes an existing object, in its slot if the record's class stays. */
  void update(NewRecord record, Version old, Changed done) {
    long bytes = record.recordBytes() + old.bytes().length;
    if (record.slotClass() == shard.stripes().slotClass(old.place().stripe())) {
      admitInPlace(
          record,
          old,
          0,
          done,
          end -> gate.enter(bytes, leave -> updateInPlace(record, old, ended(leave, end))));
      return;
    }
    admit(
        record,
        old.bytes(),
        0,
        done,
        (place, end) -> {
          shard.freeSlots().give(place); // the move chooses its own
          gate.enter(bytes, leave -> moves.move(record, old, ended(leave, end)));
        });
  }

  /**
   * Asks for memory if the new record's item has another length than the old one: a server without
   * room for it would drop the old one. Most updates keep the length.
   */
  private void admitInPlace(
      NewRecord record, Version old, long relievedNanos, Changed done, Consumer<Changed> admitted) {
    if (!InsertAdmission.isAnotherItem(record, old.bytes())) {
      admitted.accept(done);
      return;
    }
    admission.askInPlace(
        record,
        old.bytes(),
        landed -> {
          if (landed != null) {
            admitted.accept(ended(landed, done));
          } else if (admission.mayRelieve(relievedNanos)) {
            long since = since(relievedNanos);
            admission.relieve(() -> admitInPlace(record, old, since, done, admitted));
          } else {
            done.accept(Written.NO_MEMORY, 0);
          }
        });
  }

  private void updateInPlace(NewRecord record, Version old, Changed done) {
    if (steps.isUnavailable()) {
      done.accept(Written.UNAVAILABLE, 0);
      return;
    }
    Key key = record.key();
    Place place = old.place();
    steps.enter(
        place,
        () -> {
          if (!shard.hasObject(place, key)) {
            steps.end(place, done, Written.UNAVAILABLE); // the object was lost meanwhile
            return;
          }
          if (!steps.suits(place, key)) {
            shard.gates().leave(place.stripe());
            moves.move(record, old, done);
            return;
          }
          Version now = steps.version(record, place);
          byte[] delta = Xor.of(old.bytes(), now.bytes());
          steps.journalUpdate(
              key,
              old,
              now,
              delta,
              appended -> {
                if (appended.memoryShort()) {
                  steps.end(place, done, Written.NO_MEMORY);
                } else {
                  shard.pending().add(place, delta, appended.items());
                  shard.recent().put(key, now);
                  Update update = new Update(key, old, now, delta, appended);
                  steps.replaceRecord(
                      key, now.bytes(), old.bytes(), stored -> updated(update, stored, done));
                }
              });
        });
  }

  /** An update in its slot that parity's journals hold. */
  private record Update(
      Key key, Version old, Version now, byte[] delta, JournalWriter.Appended appended) {}

  /**
   * Ends an update in its slot. If the record was refused and the server takes the old one again,
   * the object stays as it was. The record is written back before the journals: a crash in between
   * leaves the new record in journals and the old one on the server, as in any update.
   */
  private void updated(Update update, Stored stored, Changed done) {
    switch (stored) {
      case DONE, LOST -> end(update.key(), update.now(), update.appended(), stored, done);
      case PUT_BACK -> takeBack(update, done);
      case NO_MEMORY ->
          steps.sendRecord(
              update.key(),
              update.old().bytes(),
              again -> {
                if (again == Stored.NO_MEMORY) {
                  end(update.key(), update.now(), update.appended(), again, done);
                } else {
                  takeBack(update, done);
                }
              });
    }
  }

  /**
   * Journals the old record, even while too many rings are down, because the server does not have
   * the record that the journals hold.
   */
  private void takeBack(Update update, Changed done) {
    steps.journalBack(
        update.key(),
        update.old(),
        update.now(),
        update.delta(),
        memoryShort -> {
          shard.recent().remove(update.key());
          endRefused(update.now().place(), memoryShort, done);
        });
  }

  private void endRefused(Place place, boolean memoryShort, Changed done) {
    shard.gates().leave(place.stripe());
    steps.foldIf(memoryShort, place);
    upkeep.written(place);
    done.accept(steps.refused(), 0);
  }

  /** Leaves the stripe once the record is sent; deletes the object if it was refused. */
  private void end(
      Key key, Version now, JournalWriter.Appended appended, Stored stored, Changed done) {
    Place place = now.place();
    if (stored == Stored.NO_MEMORY) {
      steps.freeRefused(key, now, memoryShort -> endRefused(place, memoryShort, done));
      return;
    }
    shard.gates().leave(place.stripe());
    upkeep.written(place);
    boolean isSafe = !isNowhere(appended, stored) && !steps.isUnavailable();
    done.accept(isSafe ? Written.DONE : Written.UNAVAILABLE, now.cas());
  }

  /** Deletes an object; its slot is free afterwards. */
  void remove(Key key, Version old, Changed done) {
    gate.enter(old.bytes().length, leave -> removals.remove(key, old, ended(leave, done)));
  }
}
