package io.counterpart.cache.store;

import io.netty.channel.EventLoop;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The settings of a tier with a store.
 *
 * @param shard its number, 0 to 255
 * @param loop the event loop of the tier below
 * @param clockMicros microseconds since 1970
 * @param isOwner whether nobody else can own the tier now; otherwise nothing is written to the
 *     store
 */
public record StoreSettings(
    StoreLimits limits,
    int shard,
    EventLoop loop,
    LongSupplier clockMicros,
    BooleanSupplier isOwner) {
  private static final int MAX_SHARD = 255;

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  public StoreSettings {
    if (shard < 0 || shard > MAX_SHARD) {
      throw new IllegalArgumentException("shard " + shard + ", legal: 0 to " + MAX_SHARD);
    }
  }
}
