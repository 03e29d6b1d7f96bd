package io.counterpart.cache.store;

import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;

/**
 * Converts between the store's form of an object and the form that memory and clients use.
 * Thread-safe: no state.
 */
final class Copies {
  static final Consumer<WriteOutcome> IGNORED = outcome -> {};

  private static final int NEVER = 0;
  private static final int AT_ONCE = -1;
  private static final int NO_TTL = -1;

  private Copies() {}

  /** The command that writes a copy into memory; {@link #staleMark} sets its mark. */
  static StoreCommand command(Key key, StoreMode mode, PersistentRecord record, long nowSeconds) {
    return new StoreCommand(
        key,
        mode,
        record.flags(),
        exptime(record, nowSeconds),
        0,
        false,
        Unpooled.wrappedBuffer(record.value()));
  }

  // above 30 days an exptime is a date
  private static int exptime(PersistentRecord record, long nowSeconds) {
    if (record.expirySeconds() == 0) {
      return NEVER;
    }
    return record.isExpired(nowSeconds)
        ? AT_ONCE
        : (int) Math.min(record.expirySeconds(), Integer.MAX_VALUE);
  }

  /** The command that marks a copy in memory as stale, so that one client will recompute it. */
  static DeleteCommand staleMark(Key key) {
    return new DeleteCommand(key, null, true, null);
  }

  /**
   * A copy in memory, in the form on which commands decide; its value is the outcome's.
   *
   * @param expirySeconds see {@link #expirySeconds}
   */
  static StoredRecord inMemory(GetOutcome.Found found, long expirySeconds) {
    MetaItem item = found.item();
    int marks =
        (item.stale() ? StoredRecord.STALE : 0)
            | (item.won() || item.tokenSent() ? StoredRecord.TOKEN_SENT : 0);
    return new StoredRecord(item.flags(), (int) expirySeconds, marks, item.cas(), found.value());
  }

  /** When a copy in memory expires, as far as memory tells; 0 for never. */
  static long expirySeconds(GetOutcome.Found found, long nowSeconds) {
    long ttl = found.item().ttlSeconds();
    return ttl < 0 ? NEVER : nowSeconds + Math.max(1, ttl);
  }

  /** An object that only the store has, in the form on which commands decide. */
  static StoredRecord inStore(PersistentRecord record) {
    return new StoredRecord(
        record.flags(),
        (int) record.expirySeconds(),
        record.stale() ? StoredRecord.STALE : 0,
        record.timestamp(),
        Unpooled.wrappedBuffer(record.value()));
  }

  /**
   * Whether an object stands for a value that a client was chosen to compute: the store has none.
   */
  static boolean isPlaceholder(StoredRecord record) {
    return record.marks() == StoredRecord.TOKEN_SENT && record.value().readableBytes() == 0;
  }

  /**
   * The outcome of reading an object that memory lacks. Every client is told to recompute a stale
   * one, because nobody remembers the chosen client.
   *
   * @param version of the object for the client
   */
  static GetOutcome.Found told(
      PersistentRecord record, GetOptions options, long version, long nowSeconds) {
    ByteBuf value = Unpooled.wrappedBuffer(record.value());
    long ttl = record.expirySeconds() == 0 ? NO_TTL : record.expirySeconds() - nowSeconds;
    MetaItem item =
        new MetaItem(
            record.value().length,
            record.flags(),
            version,
            ttl,
            0,
            false,
            options.binaryKey(),
            record.stale(),
            record.stale(),
            false);
    return new GetOutcome.Found(item, value);
  }
}
