package io.counterpart.cache.command;

import io.counterpart.cache.coded.stripe.RecordChange;
import io.counterpart.cache.coded.stripe.RecordChange.Decision;
import io.counterpart.cache.coded.stripe.RecordChange.Keep;
import io.counterpart.cache.coded.stripe.RecordChange.Remove;
import io.counterpart.cache.coded.stripe.RecordChange.Write;
import io.counterpart.cache.format.RecordFormat;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Expiry;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of writing commands, as in memcached: from the present record to the new one. One
 * object for one command; after the decision it has the client's answer. Not thread-safe.
 *
 * @param <T> the client's answer
 */
public abstract sealed class Changes<T> implements RecordChange
    permits Changes.Store, Changes.Delete, Arithmetic {
  private Status status = Status.DONE;

  /**
   * The client's answer.
   *
   * @param written whether the decision is carried out, or why not
   * @param cas the object's new version
   */
  public final T outcome(Status written, long cas) {
    Status told = written == Status.DONE ? status : written;
    return outcomeOf(told, told == Status.DONE ? cas : 0);
  }

  /**
   * The same.
   *
   * @param told of the decision and its end
   * @param cas the object's new version; 0 unless done
   */
  abstract T outcomeOf(Status told, long cas);

  /** Keeps the object, with the reason for the client. */
  final Decision refuse(Status why) {
    status = why;
    return new Keep();
  }

  /** Time when an object with this exptime is gone, in the form of records: unsigned, 0 = never. */
  public static int expiry(int exptime, long nowSeconds) {
    return (int) Expiry.atSeconds(exptime, nowSeconds);
  }

  /** {@code set} and its variants. */
  public static final class Store extends Changes<WriteOutcome> {
    private final StoreCommand command;

    /** The effect of a command on its object. */
    public Store(StoreCommand command) {
      this.command = command;
    }

    @Override
    WriteOutcome outcomeOf(Status told, long cas) {
      return new WriteOutcome(told, cas);
    }

    @Override
    public Decision decide(@Nullable StoredRecord old, long nowSeconds) {
      Status refusal = refusal(old);
      if (refusal != null) {
        return refuse(refusal);
      }
      boolean extended =
          old != null
              && (command.mode() == StoreMode.APPEND || command.mode() == StoreMode.PREPEND);
      ByteBuf value = extended && old != null ? extend(old) : command.value();
      if (value.readableBytes() > RecordFormat.MAX_VALUE_BYTES) {
        return refuse(Status.TOO_LARGE);
      }
      if (extended && old != null) {
        return new Write(old.flags(), old.expirySeconds(), old.marks(), value);
      }
      if (old != null && isOlder(old)) {
        // the value alone is replaced: the object lives no longer, and its token stays given away
        int marks = old.marks() | StoredRecord.STALE;
        return new Write(command.flags(), old.expirySeconds(), marks, value);
      }
      return new Write(command.flags(), expiry(command.exptime(), nowSeconds), 0, value);
    }

    /** Whether the client has an older version, and may write all the same. */
    private boolean isOlder(StoredRecord old) {
      return command.invalidates()
          && command.cas() != 0
          && Long.compareUnsigned(command.cas(), old.cas()) < 0;
    }

    private @Nullable Status refusal(@Nullable StoredRecord old) {
      return switch (command.mode()) {
        case SET -> null;
        case ADD -> old == null ? null : Status.NOT_STORED;
        case REPLACE -> old == null ? Status.NOT_STORED : null;
        case APPEND, PREPEND ->
            old == null
                ? Status.NOT_STORED
                : command.cas() != 0 && command.cas() != old.cas() ? Status.EXISTS : null;
        case CAS -> {
          if (old == null) {
            yield Status.NOT_FOUND;
          }
          yield command.cas() == old.cas() || isOlder(old) ? null : Status.EXISTS;
        }
      };
    }

    /**
     * The extended value, as a copy: wrapping buffers would release empty ones, which belong to
     * others.
     */
    private ByteBuf extend(StoredRecord old) {
      return command.mode() == StoreMode.APPEND
          ? Unpooled.copiedBuffer(old.value(), command.value())
          : Unpooled.copiedBuffer(command.value(), old.value());
    }
  }

  /** {@code delete}, and {@code md} that marks as stale. */
  public static final class Delete extends Changes<WriteOutcome> {
    private final DeleteCommand command;

    /** The effect of a command on its object. */
    public Delete(DeleteCommand command) {
      this.command = command;
    }

    @Override
    WriteOutcome outcomeOf(Status told, long cas) {
      return new WriteOutcome(told, cas);
    }

    @Override
    public Decision decide(@Nullable StoredRecord old, long nowSeconds) {
      if (old == null) {
        return refuse(Status.NOT_FOUND);
      }
      Long cas = command.cas();
      if (cas != null && cas != old.cas()) {
        return refuse(Status.EXISTS);
      }
      if (!command.marksStale()) {
        return new Remove();
      }
      Integer exptime = command.exptime();
      int expiry = exptime == null ? old.expirySeconds() : expiry(exptime, nowSeconds);
      return new Write(old.flags(), expiry, StoredRecord.STALE, old.value());
    }
  }
}
