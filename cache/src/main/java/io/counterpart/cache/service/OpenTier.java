package io.counterpart.cache.service;

import io.counterpart.cache.control.Controlled;
import io.counterpart.cache.tier.ObjectTier;
import java.util.concurrent.CompletableFuture;

/** A tier that is open: what clients use, what operators see and change, and its end. */
interface OpenTier extends Controlled, AutoCloseable {
  /** The objects; to be used on the tier's event loop. */
  ObjectTier objects();

  /** Done when it is closed; fails if it ends by itself. */
  CompletableFuture<Void> ended();

  /** Ends its connections; waits for that. Thread-safe. */
  @Override
  void close();
}
