package io.counterpart.cache.store.behind;

import io.counterpart.cache.store.PersistentRecord;
import io.counterpart.cache.store.PersistentStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Writes pending changes to the slower store. */
final class Writing {
  private Writing() {}

  /**
   * Writes all changes of an earlier process, a bounded number at once. Blocks.
   *
   * @throws IOException if the store does not take one
   */
  static void all(PersistentStore store, List<Change> changes, int atOnce) throws IOException {
    for (int first = 0; first < changes.size(); first += atOnce) {
      List<Change> some = changes.subList(first, Math.min(changes.size(), first + atOnce));
      CompletableFuture<?>[] stages =
          some.stream()
              .map(change -> one(store, change).toCompletableFuture())
              .toArray(CompletableFuture<?>[]::new);
      try {
        CompletableFuture.allOf(stages).get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while writing to the store");
      } catch (ExecutionException e) {
        throw new IOException(
            "the store does not take the %d changes that an earlier process has left: %s"
                .formatted(changes.size() - first, e.getCause()),
            e);
      }
    }
  }

  /** Writes one change. */
  static CompletionStage<Void> one(PersistentStore store, Change change) {
    PersistentRecord record = change.record();
    try {
      return record == null
          ? store.delete(change.key(), change.timestamp())
          : store.write(change.key(), record);
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }
}
