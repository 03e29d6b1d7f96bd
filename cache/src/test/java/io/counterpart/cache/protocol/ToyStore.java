package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A memcached in a map: the behaviour of 1.6.18 on items, down to its CAS counter and the spaces
 * that {@code decr} leaves, without eviction. An oracle without a process; not thread-safe.
 */
public final class ToyStore {

  /** The outcome of a write. */
  enum Outcome {
    STORED,
    NOT_STORED,
    EXISTS,
    NOT_FOUND
  }

  private final Map<Key, ToyItem> items = new HashMap<>();
  private final LongSupplier nowSeconds;
  private long lastCas;
  private long flushedAtSeconds;
  private long flushedCas;

  /** An empty store by this clock, in seconds since 1970. */
  public ToyStore(LongSupplier nowSeconds) {
    this.nowSeconds = nowSeconds;
  }

  long nowSeconds() {
    return nowSeconds.getAsLong();
  }

  long expiry(int exptime) {
    return Expiry.atSeconds(exptime, nowSeconds());
  }

  /** The live item, or null; drops a dead one. */
  @Nullable ToyItem find(Key key) {
    ToyItem item = items.get(key);
    if (item == null) {
      return null;
    }
    long now = nowSeconds();
    boolean flushed =
        flushedAtSeconds != 0
            && flushedAtSeconds <= now
            && (item.linkedAtSeconds <= flushedAtSeconds
                || (flushedCas != 0 && item.cas < flushedCas));
    boolean expired = item.expiresAtSeconds != 0 && item.expiresAtSeconds <= now;
    if (flushed || expired) {
      items.remove(key);
      return null;
    }
    return item;
  }

  /** Puts an item in place of any existing one, under a new CAS value. */
  void link(Key key, ToyItem item) {
    item.cas = ++lastCas;
    item.linkedAtSeconds = nowSeconds();
    items.put(key, item);
  }

  void remove(Key key) {
    items.remove(key);
  }

  void newCas(ToyItem item) {
    item.cas = ++lastCas;
  }

  /**
   * Writes an item, for all store commands.
   *
   * @param cas to compare; 0 compares nothing, but then CAS finds another value
   * @param marksStale whether an older CAS value may write, marking the item stale
   */
  Outcome store(Key key, ToyItem item, StoreMode mode, long cas, boolean marksStale) {
    ToyItem old = find(key);
    if (old == null) {
      if (mode == StoreMode.CAS) {
        return Outcome.NOT_FOUND;
      }
      return mode == StoreMode.SET || mode == StoreMode.ADD
          ? linked(key, item)
          : Outcome.NOT_STORED;
    }
    boolean matches = cas != 0 && cas == old.cas;
    boolean older = cas != 0 && marksStale && Long.compareUnsigned(cas, old.cas) < 0;
    return switch (mode) {
      case ADD -> Outcome.NOT_STORED;
      case SET, REPLACE -> linked(key, item);
      case APPEND, PREPEND ->
          cas != 0 && !matches ? Outcome.EXISTS : linked(key, joined(old, item, mode));
      case CAS -> compared(key, old, item, matches, older);
    };
  }

  private Outcome compared(Key key, ToyItem old, ToyItem item, boolean matches, boolean older) {
    if (!matches && older) {
      item.expiresAtSeconds = old.expiresAtSeconds;
      item.stale = true;
      item.tokenSent = old.tokenSent;
    }
    return matches || older ? linked(key, item) : Outcome.EXISTS;
  }

  private Outcome linked(Key key, ToyItem item) {
    link(key, item);
    return Outcome.STORED;
  }

  private static ToyItem joined(ToyItem old, ToyItem item, StoreMode mode) {
    byte[] first = mode == StoreMode.APPEND ? old.value : item.value;
    byte[] second = mode == StoreMode.APPEND ? item.value : old.value;
    byte[] value = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, value, first.length, second.length);
    return new ToyItem(old.flags, old.expiresAtSeconds, value);
  }

  /**
   * Adds to a number or subtracts from it, in place if the digits fit.
   *
   * @return the new number, or null if the item holds none
   */
  @Nullable Long add(Key key, ToyItem item, boolean increments, long delta) {
    CNumber number = new CNumber();
    // a zero byte ends a string of C
    int end = new String(item.value, ISO_8859_1).concat("\0").indexOf('\0');
    if (end == 0 || !number.readUnsigned(item.value, 0, end)) {
      return null;
    }
    long old = number.value();
    long sum = increments ? old + delta : Long.compareUnsigned(delta, old) > 0 ? 0 : old - delta;
    byte[] digits = Long.toUnsignedString(sum).getBytes(StandardCharsets.US_ASCII);
    if (digits.length <= item.value.length) {
      byte[] padded = new byte[item.value.length];
      Arrays.fill(padded, (byte) ' ');
      System.arraycopy(digits, 0, padded, 0, digits.length);
      item.value = padded;
      newCas(item);
    } else {
      ToyItem longer = new ToyItem(item.flags, item.expiresAtSeconds, digits);
      link(key, longer);
      item.cas = longer.cas;
    }
    return sum;
  }

  /** Deletes all items, at once or after a delay. */
  void flush(int delay) {
    long now = nowSeconds();
    flushedAtSeconds = (delay > 0 ? expiry(delay) : now) - 1;
    if (flushedAtSeconds <= now) {
      flushedCas = ++lastCas;
    }
  }
}
