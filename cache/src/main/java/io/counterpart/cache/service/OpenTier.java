package io.counterpart.cache.service;

import io.counterpart.cache.control.Controlled;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.tier.ObjectTier;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An open tier: its objects for clients, its control for operators, and its end. */
interface OpenTier extends Controlled, AutoCloseable {
  /** Role of the owner of a tier of one shard. */
  String OWNER = "owner";

  /**
   * The objects, with the store behind them, for use on each of the tier's event loops, in their
   * order. Called once; blocks until the store can be used.
   *
   * @throws IOException if the store cannot be used
   */
  List<ObjectTier> objects() throws IOException;

  /** This proxy's role in the tier, in a word; empty if no other proxy is possible. */
  String role();

  /** Number of shards that this proxy owns. */
  default int shardsOwned() {
    return role().isEmpty() || role().equals(OWNER) ? 1 : 0;
  }

  /**
   * The tier's state as far as this proxy itself knows it; empty if other proxies own all of it.
   */
  Optional<TierReport> ownReport() throws IOException;

  /** The counters of operations that another proxy carries out; null if no other is possible. */
  @Nullable ForwardStatistics forwarded();

  /**
   * Registers a callback that runs when operations that clients have begun here will get no answer,
   * because this proxy does not own it any more.
   */
  void onAbandoned(Runnable listener);

  /** Done when the tier is closed; fails if it ends by itself. */
  CompletableFuture<Void> ended();

  /** Closes its connections and its store; returns when that is done. Thread-safe. */
  @Override
  void close();
}
