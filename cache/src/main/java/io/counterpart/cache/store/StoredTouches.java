package io.counterpart.cache.store;

import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Expiry;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.netty.buffer.ByteBufUtil;
import java.util.function.Consumer;

/**
 * Reads that change an object's expiry. The object is written to the store again with the new
 * expiry, because the store forgets expired objects by itself. Belongs to the tier's event loop;
 * the caller has exclusive use of the key.
 */
final class StoredTouches {
  private final ObjectTier memory;
  private final StoreAccess access;
  private final ReadThrough through;
  private final StoredChanges changes;

  StoredTouches(ObjectTier memory, StoreAccess access, ReadThrough through, StoredChanges changes) {
    this.memory = memory;
    this.access = access;
    this.through = through;
    this.changes = changes;
  }

  /** Reads an object and gives it another exptime. */
  void touch(Key key, GetOptions options, int exptime, Consumer<GetOutcome> done) {
    changes.load(
        key,
        current -> {
          StoredRecord old = current.record();
          if (current.status() != Status.DONE) {
            done.accept(new GetOutcome.None(current.status()));
          } else if (old == null) {
            through.absent(key, options, done);
          } else if (Copies.isPlaceholder(old)) {
            current.release();
            touchEmpty(key, options, exptime, done);
          } else {
            boolean wasInMemory = current.isInMemory();
            PersistentRecord record = touched(old, exptime);
            changes.giveBackToken(key, current);
            current.release();
            touch(key, options, record, wasInMemory, done);
          }
        });
  }

  /** An empty object stands for a value that is to be computed, unless the store has it. */
  private void touchEmpty(Key key, GetOptions options, int exptime, Consumer<GetOutcome> done) {
    through.read(
        key,
        ReadThrough.Miss.UNASKED,
        end -> {
          PersistentRecord stored = end.record();
          if (stored != null) {
            touch(key, options, touched(Copies.inStore(stored), exptime), true, done);
          } else if (end.status() == Status.NOT_FOUND) {
            memory.get(key, options, done);
          } else {
            done.accept(new GetOutcome.None(end.status()));
          }
        });
  }

  private PersistentRecord touched(StoredRecord old, int exptime) {
    return new PersistentRecord(
        ByteBufUtil.getBytes(old.value()),
        old.flags(),
        Expiry.atSeconds(exptime, access.nowSeconds()),
        old.has(StoredRecord.STALE),
        0);
  }

  private void touch(
      Key key,
      GetOptions options,
      PersistentRecord record,
      boolean wasInMemory,
      Consumer<GetOutcome> done) {
    changes.persist(
        key,
        record,
        (outcome, mayHaveCopy) -> {
          if (outcome.status() != Status.DONE) {
            done.accept(new GetOutcome.None(outcome.status()));
            return;
          }
          Runnable rewrite =
              () -> rewrite(key, options, record.at(outcome.cas()), mayHaveCopy, done);
          if (wasInMemory && mayHaveCopy) {
            memory.get(
                key,
                options.withoutVivifying(), // memory may have lost it, but the store has it
                got -> {
                  if (got instanceof GetOutcome.Found) {
                    done.accept(got);
                  } else {
                    rewrite.run();
                  }
                });
          } else {
            rewrite.run();
          }
        });
  }

  private void rewrite(
      Key key,
      GetOptions options,
      PersistentRecord record,
      boolean mayHaveCopy,
      Consumer<GetOutcome> done) {
    changes.intoMemory(
        key,
        record,
        record.timestamp(),
        mayHaveCopy,
        written ->
            done.accept(
                written.status() == Status.DONE
                    ? Copies.told(record, options, written.cas(), access.nowSeconds())
                    : new GetOutcome.None(written.status())));
  }
}
