package io.counterpart.cache.control;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A running tier that operators inspect and change. Thread-safe. */
public interface Controlled {
  /**
   * The present state.
   *
   * @throws IOException if there is no answer within some seconds, or the tier has ended
   */
  TierReport report() throws IOException;

  /**
   * Adds or removes servers. A change that has begun goes on even if the caller, or this process,
   * ends.
   *
   * @return done at its end; fails, and nothing has changed, with an {@link
   *     IllegalArgumentException} if the change is illegal, with an {@link IllegalStateException}
   *     if it cannot be made now; fails with a {@link ChangeCancelledException} if {@link
   *     #cancelChange} has ended it
   */
  CompletableFuture<Void> change(ServerChange change);

  /**
   * Ends the change under way before its next wave; moved items stay where they are. The
   * cancellation also survives this process.
   *
   * @return done when the change has ended; fails with an {@link IllegalStateException} if none is
   *     under way
   */
  CompletableFuture<Void> cancelChange();

  /** The failure of {@link #cancelChange} if no change is under way. */
  static IllegalStateException nothingToCancel() {
    return new IllegalStateException("no change of servers is under way, legal: while one is");
  }

  /**
   * One shard of a tier that has several, as its owner or a follower.
   *
   * @throws IllegalArgumentException if there is no such shard, with the legal numbers
   */
  default Controlled shard(int number) {
    throw new IllegalArgumentException("shard %d, legal: none".formatted(number));
  }
}
