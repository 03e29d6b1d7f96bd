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
    int expiry = 0;
    boolean isTold = false;
    Integer exptime = options.exptime();
    for (char letter : options.order().toCharArray()) {
      if (letter == 'N') {
        expiry = Changes.expiry(vivify, nowSeconds);
      } else if (letter == 'T' && exptime != null) {
        expiry = Changes.expiry(exptime, nowSeconds);
      } else if (letter == 't') {
        toldExpirySeconds = expiry;
        isTold = true;
      }
    }
    toldExpirySeconds = isTold ? toldExpirySeconds : expiry;
    return new StoredRecord(0, expiry, StoredRecord.TOKEN_SENT, 0, Unpooled.EMPTY_BUFFER);
  }

  private StoredRecord touched(StoredRecord old, long nowSeconds) {
    int marks = old.marks();
    int expiry = old.expirySeconds();
    boolean isDue = old.has(StoredRecord.STALE);
    boolean isTold = false;
    Integer exptime = options.exptime();
    for (char letter : options.order().toCharArray()) {
      if (letter == 'T' && exptime != null) {
        expiry = Changes.expiry(exptime, nowSeconds);
      } else if (letter == 'R') {
        isDue |= isDue(expiry, nowSeconds);
      } else if (letter == 't') {
        toldExpirySeconds = expiry;
        isTold = true;
      }
    }
    toldExpirySeconds = isTold ? toldExpirySeconds : expiry;
    // a client that cannot learn of stale values is not chosen to recompute one
    if (options.details() && !old.has(StoredRecord.TOKEN_SENT) && isDue) {
      won = true;
      marks |= StoredRecord.TOKEN_SENT;
    }
    ByteBuf copy = Unpooled.copiedBuffer(old.value());
    return new StoredRecord(old.flags(), expiry, marks, old.cas(), copy);
  }

  private boolean isDue(int expirySeconds, long nowSeconds) {
    Integer recache = options.recache();
    return recache != null
        && expirySeconds != 0
        && Integer.toUnsignedLong(expirySeconds) < Expiry.atSeconds(recache, nowSeconds);
  }
}
