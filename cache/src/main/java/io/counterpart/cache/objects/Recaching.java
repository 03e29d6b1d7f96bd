package io.counterpart.cache.objects;

import io.counterpart.cache.coded.stripe.RecordChange;
import io.counterpart.cache.command.Changes;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Expiry;
import io.counterpart.cache.tier.GetOptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** A read that may change the object: its expiry, its marks, or its existence. */
final class Recaching implements RecordChange {
  private final GetOptions options;
  private @Nullable StoredRecord found;
  private boolean won;

  /** Whether the expiry was near where the client's order asks that. */
  private boolean isDue;

  /** The expiry where the client's order asks for it. */
  private int toldExpirySeconds;

  Recaching(GetOptions options) {
    this.options = options;
  }

  GetOptions options() {
    return options;
  }

  /** The object after the read; its value is a copy. */
  @Nullable StoredRecord found() {
    return found;
  }

  boolean won() {
    return won;
  }

  int toldExpirySeconds() {
    return toldExpirySeconds;
  }

  @Override
  public Decision decide(@Nullable StoredRecord old, long nowSeconds) {
    StoredRecord now = old == null ? vivified(nowSeconds) : touched(old, nowSeconds);
    if (now == null) {
      return new Keep();
    }
    found = now;
    boolean changed =
        old == null || now.marks() != old.marks() || now.expirySeconds() != old.expirySeconds();
    return changed
        ? new Write(now.flags(), now.expirySeconds(), now.marks(), now.cas(), now.value())
        : new Keep();
  }

  private @Nullable StoredRecord vivified(long nowSeconds) {
    Integer vivify = options.vivify();
    if (vivify == null) {
      return null;
    }
    won = true;
    int expiry = inOrder(0, vivify, nowSeconds);
    return new StoredRecord(0, expiry, StoredRecord.TOKEN_SENT, 0, Unpooled.EMPTY_BUFFER);
  }

  private StoredRecord touched(StoredRecord old, long nowSeconds) {
    int marks = old.marks();
    int expiry = inOrder(old.expirySeconds(), null, nowSeconds);
    // a client that cannot learn of stale values is not chosen to recompute one
    if (options.details()
        && !old.has(StoredRecord.TOKEN_SENT)
        && (old.has(StoredRecord.STALE) || isDue)) {
      won = true;
      marks |= StoredRecord.TOKEN_SENT;
    }
    ByteBuf copy = Unpooled.copiedBuffer(old.value());
    return new StoredRecord(old.flags(), expiry, marks, old.cas(), copy);
  }

  /**
   * The expiry after the client's options, in the order in which it gave them.
   *
   * @param vivify what a new object gets; null for one that was there
   */
  private int inOrder(int before, @Nullable Integer vivify, long nowSeconds) {
    int expiry = before;
    isDue = false;
    Integer told = null;
    Integer exptime = options.exptime();
    for (char letter : options.order().toCharArray()) {
      if (letter == 'N' && vivify != null) {
        expiry = Changes.expiry(vivify, nowSeconds);
      } else if (letter == 'T' && exptime != null) {
        expiry = Changes.expiry(exptime, nowSeconds);
      } else if (letter == 'R') {
        isDue |= isDue(expiry, nowSeconds);
      } else if (letter == 't') {
        told = expiry;
      }
    }
    toldExpirySeconds = told == null ? expiry : told;
    return expiry;
  }

  private boolean isDue(int expirySeconds, long nowSeconds) {
    Integer recache = options.recache();
    return recache != null
        && expirySeconds != 0
        && Integer.toUnsignedLong(expirySeconds) < Expiry.atSeconds(recache, nowSeconds);
  }
}
