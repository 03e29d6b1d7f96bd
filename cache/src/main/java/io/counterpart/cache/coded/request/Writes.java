package io.counterpart.cache.coded.request;

import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.log.JournalWriter;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.NewRecord;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.coded.write.Changed;
import io.counterpart.cache.coded.write.InPlaceUpdates;
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
 * Writes of objects, in the order of a write-ahead log: journals on n − k + 1 servers, then the
 * record, then the metadata. The caller holds the key's lock until the write ends. Belongs to the
 * shard's event loop. Paper: ECHash §4.4 (writes and updates); the order is ours.
 */
public final class Writes {
  private final Shard shard;
  private final WriteSteps steps;
  private final Removals removals;
  private final SlotMoves moves;
  private final InPlaceUpdates updates;
  private final JournalGate gate;
  private final InsertAdmission admission;

  public Writes(Shard shard, WriteUpkeep upkeep, JournalGate gate, InsertAdmission admission) {
    this.shard = shard;
    this.gate = gate;
    this.admission = admission;
    this.steps = new WriteSteps(shard, upkeep);
    this.removals = new Removals(shard, upkeep, steps);
    this.moves = new SlotMoves(shard, upkeep, steps, gate);
    this.updates = new InPlaceUpdates(shard, steps, gate);
  }

  /** The writes that move objects to other slots. */
  public SlotMoves moves() {
    return moves;
  }

  /** Writes an object that does not exist. */
  void insert(NewRecord record, Changed done) {
    admit(record, null, null, done, (place, end) -> insert(record, place, end));
  }

  /**
   * Takes a place for which servers have memory; if they have none, tries again after memory was
   * freed.
   *
   * @param replaced see {@link InsertAdmission#ask}
   * @param wait null before the first relief
   * @param admitted gets the place, and the callback for the outcome
   */
  private void admit(
      NewRecord record,
      byte @Nullable [] replaced,
      InsertAdmission.@Nullable Wait wait,
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
          if (admission.mayRelieve(wait)) {
            InsertAdmission.Wait begun = begun(wait);
            admission.relieve(record, begun, () -> admit(record, replaced, begun, done, admitted));
          } else {
            done.accept(Written.NO_MEMORY, 0);
          }
        });
  }

  private InsertAdmission.Wait begun(InsertAdmission.@Nullable Wait wait) {
    return wait == null ? admission.begin() : wait;
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
    if (WriteSteps.isNowhere(appended, stored)) {
      shard.freeSlots().give(place);
      steps.end(place, done, Written.UNAVAILABLE);
      return;
    }
    shard.assign(place, key.bytes(), KeyHash.of(key.bytes()));
    shard.pending().add(place, now.bytes(), appended.items());
    shard.recent().put(key, now);
    steps.endSent(key, now, appended, stored, done);
  }

  /** Writes an existing object, in its slot if that is one for the record. */
  void update(NewRecord record, Version old, Changed done) {
    long bytes = record.recordBytes() + old.bytes().length;
    if (steps.suits(old.place(), record)) {
      admitInPlace(
          record,
          old,
          null,
          done,
          end -> gate.enter(bytes, leave -> updates.update(record, old, ended(leave, end))));
      return;
    }
    admit(
        record,
        old.bytes(),
        null,
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
      NewRecord record,
      Version old,
      InsertAdmission.@Nullable Wait wait,
      Changed done,
      Consumer<Changed> admitted) {
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
          } else if (admission.mayRelieve(wait)) {
            InsertAdmission.Wait begun = begun(wait);
            admission.relieve(
                record, begun, () -> admitInPlace(record, old, begun, done, admitted));
          } else {
            done.accept(Written.NO_MEMORY, 0);
          }
        });
  }

  /** Deletes an object; its slot is free afterwards. */
  void remove(Key key, Version old, Changed done) {
    gate.enter(old.bytes().length, leave -> removals.remove(key, old, ended(leave, done)));
  }
}
