package io.counterpart.cache.service;

import io.counterpart.cache.control.Controlled;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.tier.ObjectTier;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An open tier: its objects for clients, its control for operators, and its end. */
interface OpenTier extends Controlled, AutoCloseable {
  /**
   * The objects, with the store behind them; to be used on the tier's event loop. To be asked for
   * once; blocks until the store can be used.
   *
   * @throws IOException if it cannot
   */
  ObjectTier objects() throws IOException;

  /** What this proxy is to the tier, in a word; empty if it is the only one there can be. */
  String role();

  /** What this proxy itself knows of the tier; empty if another proxy owns it. */
  Optional<TierReport> ownReport() throws IOException;

  /** What is counted of operations that another proxy does; null if none can. */
  @Nullable ForwardStatistics forwarded();

  /** Done when it is closed; fails if it ends by itself. */
  CompletableFuture<Void> ended();

  /** Ends its connections and the use of its store; waits for that. Thread-safe. */
  @Override
  void close();
}
