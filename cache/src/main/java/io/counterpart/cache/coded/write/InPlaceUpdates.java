package io.counterpart.cache.coded.write;

import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.log.JournalWriter.Appended;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.NewRecord;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.coded.stripe.Xor;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Updates of objects in their slots, in the order of a write-ahead log: an entry in the journals,
 * then the record.
 *
 * <p>An update that is alone sends both in one flight. One of the entry's copies goes to the
 * record's own server, just before the record. A server works in order, so wherever the record is
 * the entry is too: whatever happens to the proxy and to the other copies, a restart that finds the
 * record knows that parity lacks it. If it finds only the entry, the entry counts, as it does in
 * two flights. Without the server both are gone, and the object is the old one for all that are
 * left; nobody was told otherwise.
 *
 * <p>Writes that are under way together take two flights: their entries share items on the same
 * servers, which costs less than an item on the server of each.
 *
 * <p>The caller holds the key's lock until the write ends. Belongs to the shard's event loop.
 */
public final class InPlaceUpdates {
  private final Shard shard;
  private final WriteSteps steps;
  private final JournalGate gate;

  public InPlaceUpdates(Shard shard, WriteSteps steps, JournalGate gate) {
    this.shard = shard;
    this.steps = steps;
    this.gate = gate;
  }

  /**
   * @param delta the old record xor the new one
   */
  private record Update(Key key, Version old, Version now, byte[] delta) {
    Place place() {
      return now.place();
    }
  }

  /** Writes an existing object, whose record keeps its slot class. */
  public void update(NewRecord record, Version old, Changed done) {
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
          Version now = steps.version(record, place);
          Update update = new Update(key, old, now, Xor.of(old.bytes(), now.bytes()));
          if (!sendAtOnce(update, done)) {
            journalFirst(update, done);
          }
        });
  }

  private void journalFirst(Update update, Changed done) {
    steps.journalUpdate(
        update.key(),
        update.old(),
        update.now(),
        update.delta(),
        appended -> {
          if (appended.memoryShort()) {
            steps.end(update.place(), done, Written.NO_MEMORY);
          } else {
            journalled(update, appended);
            sendRecord(update, stored -> sent(update, appended, stored, done));
          }
        });
  }

  private void journalled(Update update, Appended appended) {
    shard.pending().add(update.place(), update.delta(), appended.items());
    shard.recent().put(update.key(), update.now());
  }

  private void sendRecord(Update update, Consumer<Stored> done) {
    steps.replaceRecord(update.key(), update.now().bytes(), update.old().bytes(), done);
  }

  /** Sends entry and record in one flight, if it may; otherwise it sends nothing. */
  private boolean sendAtOnce(Update update, Changed done) {
    ServerLink server = gate.isAlone() ? soleServer(update) : null;
    if (server == null) {
      return false;
    }
    Flight flight = new Flight(update, done);
    boolean isJournalled =
        steps.journalUpdateAhead(
            server, update.key(), update.old(), update.now(), update.delta(), flight::journalled);
    if (isJournalled) {
      sendRecord(update, flight::stored);
    }
    return isJournalled;
  }

  private @Nullable ServerLink soleServer(Update update) {
    long hash = KeyHash.of(update.key().bytes());
    return shard.items().soleServer(hash, update.now().bytes(), update.old().bytes());
  }

  /** An entry and its record, under way together. */
  private final class Flight {
    private final Update update;
    private final Changed done;
    private @Nullable Appended appended;
    private @Nullable Stored stored;

    Flight(Update update, Changed done) {
      this.update = update;
      this.done = done;
    }

    void journalled(Appended outcome) {
      InPlaceUpdates.this.journalled(update, outcome);
      appended = outcome;
      land();
    }

    void stored(Stored outcome) {
      stored = outcome;
      land();
    }

    private void land() {
      if (appended != null && stored != null) {
        if (appended.memoryShort()) {
          undo(update, appended, stored, done);
        } else {
          sent(update, appended, stored, done);
        }
      }
    }
  }

  /** Takes back an update of which too few copies could be journalled, for lack of memory. */
  private void undo(Update update, Appended appended, Stored stored, Changed done) {
    switch (stored) {
      case DONE, NO_MEMORY -> writeBack(update, appended, done);
      case LOST, PUT_BACK -> takeBack(update, appended, done);
    }
  }

  /**
   * Ends an update that is journalled. If the record was refused and the server takes the old one
   * again, the object stays as it was. The record is written back before the journals: a crash in
   * between leaves the new record in journals and the old one on the server, as in any update.
   */
  private void sent(Update update, Appended appended, Stored stored, Changed done) {
    switch (stored) {
      case DONE, LOST -> steps.endSent(update.key(), update.now(), appended, stored, done);
      case PUT_BACK -> takeBack(update, appended, done);
      case NO_MEMORY -> writeBack(update, appended, done);
    }
  }

  private void writeBack(Update update, Appended appended, Changed done) {
    steps.sendRecord(
        update.key(),
        update.old().bytes(),
        again -> {
          if (again == Stored.NO_MEMORY) {
            steps.endSent(update.key(), update.now(), appended, again, done);
          } else {
            takeBack(update, appended, done);
          }
        });
  }

  /**
   * Journals the old record, even while too many rings are down, because the server does not have
   * the record that the journals hold. If they hold too few copies of it, parity is folded at once.
   */
  private void takeBack(Update update, Appended appended, Changed done) {
    steps.journalBack(
        update.key(),
        update.old(),
        update.now(),
        update.delta(),
        memoryShort -> {
          shard.recent().remove(update.key());
          boolean isToBeFolded = memoryShort || appended.memoryShort();
          steps.endRefused(update.place(), isToBeFolded, done);
        });
  }
}
