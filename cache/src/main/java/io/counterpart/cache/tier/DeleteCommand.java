package io.counterpart.cache.tier;

import io.counterpart.cache.protocol.Key;
import org.jspecify.annotations.Nullable;

/**
 * A deletion.
 *
 * @param cas the version that the object must have; null for any
 * @param marksStale whether the object is marked as stale instead
 * @param exptime the new exptime of a marked object; null to leave it
 */
public record DeleteCommand(
    Key key, @Nullable Long cas, boolean marksStale, @Nullable Integer exptime) {
  /** A plain deletion. */
  public static DeleteCommand of(Key key) {
    return new DeleteCommand(key, null, false, null);
  }
}
