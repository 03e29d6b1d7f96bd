package io.counterpart.cache.control;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A running tier that operators inspect and change. Thread-safe. */
public interface Controlled {
  /**
   * How it is doing now.
   *
   * @throws IOException if it does not say so within some seconds, or has ended
   */
  TierReport report() throws IOException;

  /**
   * Adds or removes servers. Once it has begun it goes on whatever becomes of the caller, and of
   * this process.
   *
   * @return done at its end; fails, and nothing has changed, with an {@link
   *     IllegalArgumentException} if the change is illegal, with an {@link IllegalStateException}
   *     if it cannot be made now; fails with a {@link ChangeCancelledException} if {@link
   *     #cancelChange} has ended it
   */
  CompletableFuture<Void> change(ServerChange change);

  /**
   * Has the change under way end before its next wave: what has moved stays so. That outlives this
   * process too.
   *
   * @return done when the change has ended; fails with an {@link IllegalStateException} if none is
   *     under way
   */
  CompletableFuture<Void> cancelChange();
}
