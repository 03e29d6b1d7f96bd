package io.counterpart.cache.service.peer;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.PassingTier;
import io.counterpart.cache.tier.TierCall;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A tier whose answers count only while this proxy owns it. An owner that is cut off from the other
 * machines may still reach a server, whose objects another owner has changed elsewhere meanwhile.
 * So each answer, also to a read, is given only if nobody else can have begun before it is known;
 * and no change begins otherwise, because it would reach the persistent store. Belongs to the
 * tier's event loop.
 */
public final class OwnedTier extends PassingTier {
  private final ObjectTier tier;
  private final BooleanSupplier isOwner;

  public OwnedTier(ObjectTier tier, BooleanSupplier isOwner) {
    this.tier = tier;
    this.isOwner = isOwner;
  }

  @Override
  public long readBytes(Key key) {
    return tier.readBytes(key);
  }

  @Override
  public long writeBytes(Key key, int valueBytes) {
    return tier.writeBytes(key, valueBytes);
  }

  @Override
  protected <T> void pass(TierCall<T> call, Consumer<T> done) {
    if (call.changes() && !isOwner.getAsBoolean()) {
      done.accept(call.unavailable());
      return;
    }
    call.on(
        tier,
        outcome -> {
          boolean counts = isOwner.getAsBoolean();
          if (!counts && outcome instanceof GetOutcome.Found found) {
            found.value().release();
          }
          done.accept(counts ? outcome : call.unavailable());
        });
  }

  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    tier.statistics(group, done);
  }
}
