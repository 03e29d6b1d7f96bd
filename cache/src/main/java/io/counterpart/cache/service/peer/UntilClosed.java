package io.counterpart.cache.service.peer;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits that end when a tier is closed. Thread-safe. */
public final class UntilClosed {
  private static final long PAUSE_MILLIS = 50;

  private final CompletableFuture<Void> closing = new CompletableFuture<>();

  /** Ends all waits, and those that follow. */
  public void close() {
    closing.complete(null);
  }

  public boolean isClosed() {
    return closing.isDone();
  }

  /**
   * Waits for a future.
   *
   * @return null if the tier is closed first
   * @throws IOException if the future fails
   * @throws IllegalArgumentException if it fails with one
   */
  public <T> @Nullable T await(CompletableFuture<T> future)
      throws IOException, InterruptedException {
    try {
      CompletableFuture.anyOf(future, closing).get();
      return future.isDone() ? future.get() : null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof IllegalArgumentException refusal) {
        throw refusal;
      }
      throw new IOException(String.valueOf(e.getCause()), e);
    }
  }

  /**
   * Waits until a future ends, in whatever way, but no longer than this. Leaves nothing on it: it
   * may be waited for each second for days.
   */
  public void await(CompletableFuture<?> future, Duration most) throws InterruptedException {
    CompletableFuture<Boolean> late =
        new CompletableFuture<Boolean>()
            .completeOnTimeout(true, most.toMillis(), TimeUnit.MILLISECONDS);
    try {
      CompletableFuture.anyOf(future, closing, late).get();
    } catch (ExecutionException failed) {
      // the future tells the caller
    }
  }

  /** Waits a short time before something is tried again. */
  public void pause() throws InterruptedException {
    if (!isClosed()) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }
}
