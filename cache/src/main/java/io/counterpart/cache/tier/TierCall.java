package io.counterpart.cache.tier;

import io.counterpart.cache.protocol.Key;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An operation on its way to a tier that carries it out.
 *
 * @param key of its object; null for an operation on all objects
 * @param changes whether it is a change that only the tier's owner may begin; a read that at most
 *     makes an object on a miss, or gives a client the right to recompute one, is none
 * @param operation begins it on a tier, and passes on its outcome
 * @param unavailable its outcome if it is not done
 */
public record TierCall<T>(
    @Nullable Key key,
    boolean changes,
    BiConsumer<ObjectTier, Consumer<T>> operation,
    T unavailable) {
  /** Begins the operation on a tier. */
  public void on(ObjectTier tier, Consumer<T> done) {
    operation.accept(tier, done);
  }
}
