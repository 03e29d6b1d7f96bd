package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MetaFlags;
import io.counterpart.cache.protocol.Request;
import io.counterpart.cache.protocol.RequestDecoder;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import org.jspecify.annotations.Nullable;

/**
 * Upper bounds on the memory of requests, before they begin. Where a tier does not know the size of
 * a value, the bound is the largest of the last thousand or two values read. Belongs to the tier's
 * event loop.
 */
public final class RequestCosts {
  /** Memory of a request and its place among the answers. */
  public static final int OVERHEAD_BYTES = 256;

  private static final int STATISTICS_BYTES = 8 << 10;
  private static final int READS_IN_WINDOW = 1024;

  private final ObjectTier tier;
  private int largestBefore = RequestDecoder.MAX_VALUE_BYTES;
  private int largest;
  private int reads;

  /**
   * @param tier whose values the requests read and write
   */
  public RequestCosts(ObjectTier tier) {
    this.tier = tier;
  }

  /** Notes the size of a value that was read. */
  public void read(GetOutcome outcome) {
    if (outcome instanceof GetOutcome.Found found) {
      largest = Math.max(largest, found.value().readableBytes());
      if (++reads == READS_IN_WINDOW) {
        largestBefore = largest;
        largest = 0;
        reads = 0;
      }
    }
  }

  /** Bound on a read of one key. */
  public long ofRead(Key key, boolean changes) {
    long value = tier.readBytes(key);
    if (value == ObjectTier.UNKNOWN) {
      value = Math.max(largestBefore, largest);
    }
    return OVERHEAD_BYTES + value + (changes ? tier.writeBytes(key, 0) : 0);
  }

  /** Bound on a change of a key, with a value of this length. */
  public long ofWrite(Key key, int valueBytes) {
    return OVERHEAD_BYTES + valueBytes + tier.writeBytes(key, valueBytes);
  }

  /** Bound on a request; for one that reads keys, without {@link #ofRead} of each key. */
  long of(Request request) {
    if (request instanceof Request.Store store) {
      return ofWrite(store.key(), store.value().readableBytes());
    }
    if (request instanceof Request.MetaSet set) {
      return ofWrite(set.key(), set.value().readableBytes());
    }
    if (request instanceof Request.MetaGet get) {
      return ofRead(get.key(), changes(get.flags()));
    }
    if (request instanceof Request.Touch touch) {
      return ofRead(touch.key(), true);
    }
    if (request instanceof Request.MetaDebug debug) {
      return ofRead(debug.key(), false);
    }
    if (request instanceof Request.Stats) {
      return STATISTICS_BYTES;
    }
    Key changed = changedKey(request);
    return changed == null ? OVERHEAD_BYTES : ofWrite(changed, 0);
  }

  private static @Nullable Key changedKey(Request request) {
    if (request instanceof Request.Delete delete) {
      return delete.key();
    }
    if (request instanceof Request.MetaDelete delete) {
      return delete.key();
    }
    if (request instanceof Request.Arithmetic arithmetic) {
      return arithmetic.key();
    }
    if (request instanceof Request.MetaArithmetic arithmetic) {
      return arithmetic.key();
    }
    return request instanceof Request.Refused refused ? refused.dropped() : null;
  }

  private static boolean changes(MetaFlags flags) {
    return flags.has('T') || flags.has('N') || flags.has('R');
  }
}
