package io.counterpart.cache.store;

import io.counterpart.cache.coded.stripe.RecordChange;
import io.counterpart.cache.coded.stripe.RecordChange.Decision;
import io.counterpart.cache.coded.stripe.RecordChange.Keep;
import io.counterpart.cache.coded.stripe.RecordChange.Write;
import io.counterpart.cache.command.Changes;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.store.ReadThrough.Miss;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.ByteBufUtil;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Executes changes of objects in four steps: decide on the present object, from memory or else from
 * the store; write to the store; write to memory; acknowledge. Belongs to the tier's event loop;
 * the caller has exclusive use of the key.
 */
final class StoredChanges {
  private final ObjectTier memory;
  private final StoreAccess access;
  private final ReadThrough through;
  private final UnsettledKeys unsettled;
  private final UndecidedKeys undecided;
  private final KnownExpiries expiries = new KnownExpiries();

  StoredChanges(
      ObjectTier memory,
      StoreAccess access,
      ReadThrough through,
      UnsettledKeys unsettled,
      UndecidedKeys undecided) {
    this.memory = memory;
    this.access = access;
    this.through = through;
    this.unsettled = unsettled;
    this.undecided = undecided;
  }

  /**
   * Changes an object. A deletion of an absent object is written too if a failed write may still
   * arrive.
   *
   * @param isBlind whether the change does not depend on the present object
   * @param done gets DONE if the decision is carried out, with the object's version
   */
  void change(Key key, RecordChange change, boolean isBlind, Consumer<WriteOutcome> done) {
    if (isBlind) {
      decide(key, Current.UNASKED, change, done);
    } else {
      load(key, current -> decide(key, current, change, done));
    }
  }

  /** Loads the present object. */
  void load(Key key, Consumer<Current> done) {
    if (!unsettled.isTrusted(key)) {
      loadFromStore(key, Miss.UNASKED, done);
      return;
    }
    memory.look(
        key,
        outcome -> {
          if (outcome instanceof GetOutcome.Found found) {
            long expiry = expiries.of(key, Copies.expirySeconds(found, access.nowSeconds()));
            done.accept(new Current(Status.DONE, Copies.inMemory(found, expiry), found));
          } else {
            loadFromStore(key, Miss.of((GetOutcome.None) outcome), done);
          }
        });
  }

  private void loadFromStore(Key key, Miss miss, Consumer<Current> done) {
    through.read(
        key,
        miss,
        end -> {
          PersistentRecord record = end.record();
          Status status = end.status() == Status.NOT_FOUND ? Status.DONE : end.status();
          done.accept(new Current(status, record == null ? null : Copies.inStore(record), null));
        });
  }

  private void decide(Key key, Current current, RecordChange change, Consumer<WriteOutcome> done) {
    if (current.status() != Status.DONE) {
      done.accept(WriteOutcome.not(current.status()));
      return;
    }
    StoredRecord old = current.record();
    Decision decision = change.decide(old, access.nowSeconds());
    boolean mayArrive = old == null && change instanceof Changes.Delete && undecided.contains(key);
    if (decision instanceof Keep && !mayArrive) {
      giveBackToken(key, current);
      current.release();
      done.accept(new WriteOutcome(Status.DONE, old == null ? 0 : old.cas()));
      return;
    }
    PersistentRecord record = decision instanceof Write write ? record(write) : null;
    current.release();
    persist(
        key,
        record,
        (outcome, mayHaveCopy) -> {
          if (outcome.status() == Status.DONE) {
            intoMemory(key, record, outcome.cas(), mayHaveCopy, done);
          } else {
            done.accept(outcome);
          }
        });
  }

  private static PersistentRecord record(Write write) {
    return new PersistentRecord(
        ByteBufUtil.getBytes(write.value()),
        write.flags(),
        Integer.toUnsignedLong(write.expirySeconds()),
        (write.marks() & StoredRecord.STALE) != 0,
        0);
  }

  /** Marks a stale value again, if reading it took the right to recompute it from clients. */
  void giveBackToken(Key key, Current current) {
    if (current.tookToken()) {
      memory.delete(Copies.staleMark(key), Copies.IGNORED);
    }
  }

  @FunctionalInterface
  interface Persisted {
    /**
     * Called once.
     *
     * @param outcome DONE with the timestamp, or why not
     * @param mayHaveCopy whether memory may have the previous value
     */
    void accept(WriteOutcome outcome, boolean mayHaveCopy);
  }

  /**
   * Writes the object to the store.
   *
   * @param record null to delete
   */
  void persist(Key key, @Nullable PersistentRecord record, Persisted done) {
    if (!unsettled.isFull() || !unsettled.isTrusted(key)) {
      send(key, record, outcome -> done.accept(outcome, true));
      return;
    }
    // another unsettled key could not be remembered
    memory.delete(
        DeleteCommand.of(key),
        deletion -> {
          if (UnsettledKeys.isGone(deletion)) {
            send(key, record, outcome -> done.accept(outcome, false));
          } else {
            done.accept(WriteOutcome.not(Status.UNAVAILABLE), true);
          }
        });
  }

  private void send(Key key, @Nullable PersistentRecord record, Consumer<WriteOutcome> done) {
    Consumer<WriteOutcome> noting =
        outcome -> {
          if (outcome.status() == Status.DONE) {
            undecided.remove(key);
            expiries.note(key, record);
          } else if (outcome.status() == Status.STORE_UNAVAILABLE) {
            undecided.add(key);
            expiries.note(key, null);
          }
          done.accept(outcome);
        };
    if (record == null) {
      access.delete(key, noting);
    } else {
      access.write(key, record, noting);
    }
  }

  /**
   * Makes memory follow the store. If it cannot, its copy is deleted; if that fails too, the key is
   * read from the store from now on.
   *
   * @param record null to delete
   */
  void intoMemory(
      Key key,
      @Nullable PersistentRecord record,
      long version,
      boolean mayHaveCopy,
      Consumer<WriteOutcome> done) {
    WriteOutcome withoutCopy = new WriteOutcome(Status.DONE, record == null ? 0 : version);
    if (unsettled.isEmptying()) {
      done.accept(withoutCopy);
    } else if (record == null) {
      deleteCopy(key, withoutCopy, done);
    } else {
      writeCopy(
          key,
          record,
          outcome -> {
            if (outcome.status() == Status.DONE) {
              unsettled.settle(key);
              done.accept(outcome);
            } else if (mayHaveCopy) {
              deleteCopy(key, withoutCopy, done);
            } else {
              done.accept(withoutCopy);
            }
          });
    }
  }

  private void writeCopy(Key key, PersistentRecord record, Consumer<WriteOutcome> done) {
    StoreCommand command = Copies.command(key, StoreMode.SET, record, access.nowSeconds());
    if (!record.stale()) {
      memory.store(command, done);
      return;
    }
    WriteOutcome[] written = {WriteOutcome.not(Status.UNAVAILABLE)};
    memory.store(command, outcome -> written[0] = outcome);
    // in the same turn of the loop, so nobody reads it without its mark
    memory.delete(
        Copies.staleMark(key),
        marked -> done.accept(written[0].status() == Status.DONE ? marked : written[0]));
  }

  private void deleteCopy(Key key, WriteOutcome outcome, Consumer<WriteOutcome> done) {
    memory.delete(
        DeleteCommand.of(key),
        deletion -> {
          if (UnsettledKeys.isGone(deletion)) {
            unsettled.settle(key);
            done.accept(outcome);
          } else {
            unsettled.add(
                key,
                marked ->
                    done.accept(marked ? outcome : WriteOutcome.not(Status.STORE_UNAVAILABLE)));
          }
        });
  }
}
