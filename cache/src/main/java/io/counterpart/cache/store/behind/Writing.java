package io.counterpart.cache.store.behind;

import io.counterpart.cache.store.PersistentRecord;
import io.counterpart.cache.store.PersistentStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Writes pending changes to the slower store. */
final class Writing {
  private Writing() {}

  /**
   * Writes all changes of an earlier process, a bounded number at once. Blocks. Those that the
   * store does not take are tried again as long as it takes others: it may be slow for a moment.
   *
   * @throws IOException if the store takes none of so many, or none of those that are left
   */
  static void all(PersistentStore store, List<Change> changes, int atOnce) throws IOException {
    List<Change> left = changes;
    while (!left.isEmpty()) {
      left = tryAll(store, left, atOnce);
    }
  }

  /** Tries all changes once; returns those that the store has not taken. */
  private static List<Change> tryAll(PersistentStore store, List<Change> changes, int atOnce)
      throws IOException {
    List<Change> left = new ArrayList<>();
    for (int first = 0; first < changes.size(); first += atOnce) {
      List<Change> some = changes.subList(first, Math.min(changes.size(), first + atOnce));
      List<CompletableFuture<Void>> stages =
          some.stream().map(change -> one(store, change).toCompletableFuture()).toList();
      Throwable failure = failure(stages);
      int leftBefore = left.size();
      for (int i = 0; i < some.size(); i++) {
        if (stages.get(i).isCompletedExceptionally()) {
          left.add(some.get(i));
        }
      }
      boolean tookNone = left.size() - leftBefore == some.size();
      boolean isAway = some.size() == atOnce || leftBefore == first;
      if (failure != null && tookNone && isAway) {
        throw new IOException(
            "the store does not take the %d changes that an earlier process has left: %s"
                .formatted(leftBefore + changes.size() - first, failure),
            failure);
      }
    }
    return left;
  }

  /** Waits for all stages; the failure of one of them, or null. */
  private static @Nullable Throwable failure(List<CompletableFuture<Void>> stages)
      throws IOException {
    try {
      CompletableFuture.allOf(stages.toArray(CompletableFuture<?>[]::new)).get();
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while writing to the store");
    } catch (ExecutionException e) {
      return e.getCause();
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
