package io.counterpart.cache.service;

import io.counterpart.cache.control.Controlled;
import io.counterpart.cache.control.MergedReport;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.ShardsControl;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.shards.LoopCrossing;
import io.counterpart.cache.shards.ShardedObjects;
import io.counterpart.cache.tier.ObjectTier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A coded tier of several shards. Each has servers, metadata, an owner and an event loop of its
 * own, so each fails, recovers and changes its servers alone. This proxy owns some of them, and
 * forwards to the owners of the others. Thread-safe.
 */
final class ShardedTier implements OpenTier {
  private final List<SchemeContext> contexts;
  private final List<SharedTier> shards;
  private final ForwardStatistics forwarded;
  private final ShardsControl control;

  /** Each shard as each event loop reaches it. */
  private final List<List<ObjectTier>> reached = new ArrayList<>();

  private final List<LoopCrossing> crossings = new ArrayList<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private ShardedTier(
      List<SchemeContext> contexts, List<SharedTier> shards, ForwardStatistics forwarded) {
    this.contexts = contexts;
    this.shards = shards;
    this.forwarded = forwarded;
    this.control = new ShardsControl(shards, number -> shards.get(number).role());
    for (int to = 0; to < shards.size(); to++) {
      ObjectTier shard = shards.get(to).objects().get(0);
      List<ObjectTier> ways = new ArrayList<>();
      for (SchemeContext from : contexts) {
        if (from.shard() == to) {
          ways.add(shard);
        } else {
          LoopCrossing way =
              new LoopCrossing(
                  from.loop(), shard, contexts.get(to).memory(), ended::completeExceptionally);
          ways.add(way);
          crossings.add(way);
        }
      }
      reached.add(ways);
    }
    shards.forEach(
        shard ->
            shard
                .ended()
                .whenComplete(
                    (nothing, why) -> {
                      if (why != null) {
                        ended.completeExceptionally(why);
                      }
                    }));
    all(shards.stream().map(SharedTier::ended)).thenRun(() -> ended.complete(null));
  }

  private static CompletableFuture<Void> all(Stream<CompletableFuture<Void>> of) {
    return CompletableFuture.allOf(of.toArray(CompletableFuture<?>[]::new));
  }

  /**
   * Opens all shards at once; a tier of one is that shard.
   *
   * @param contexts of the shards, by number
   * @return done when all are open; fails with the reason of one, and nothing is left open
   */
  static CompletableFuture<OpenTier> open(List<SchemeContext> contexts) {
    ForwardStatistics forwarded = new ForwardStatistics();
    List<SharedTier> shards = new ArrayList<>();
    try {
      for (SchemeContext context : contexts) {
        shards.add(SharedTier.begin(context, forwarded));
      }
    } catch (IOException | IllegalArgumentException e) {
      close(shards);
      return CompletableFuture.failedFuture(e);
    }
    if (shards.size() == 1) {
      return shards.get(0).opened();
    }
    CompletableFuture<Void> failed = new CompletableFuture<>();
    shards.forEach(
        shard ->
            shard
                .ended() // before it is open, or while it waits for the others
                .whenComplete(
                    (nothing, why) -> {
                      if (why != null) {
                        failed.completeExceptionally(why);
                      }
                    }));
    CompletableFuture<Void> opened =
        CompletableFuture.allOf(
            shards.stream().map(SharedTier::opened).toArray(CompletableFuture<?>[]::new));
    return CompletableFuture.anyOf(opened, failed)
        // not on the thread of the shard that fails: closing waits for its end
        .handleAsync(
            (nothing, why) -> {
              if (why != null) {
                close(shards);
                throw new CompletionException(why.getCause() == null ? why : why.getCause());
              }
              return new ShardedTier(contexts, shards, forwarded);
            });
  }

  @Override
  public List<ObjectTier> objects() {
    return IntStream.range(0, contexts.size())
        .mapToObj(
            loop ->
                (ObjectTier)
                    new ShardedObjects(reached.stream().map(ways -> ways.get(loop)).toList()))
        .toList();
  }

  @Override
  public String role() {
    String owned = "owner of %d of %d shards".formatted(shardsOwned(), shards.size());
    long counting =
        shards.stream().filter(shard -> shard.role().equals(SharedTier.COUNTING)).count();
    return counting == 0 ? owned : owned + ", counting follower of " + counting;
  }

  @Override
  public int shardsOwned() {
    return shards.stream().mapToInt(SharedTier::shardsOwned).sum();
  }

  @Override
  public ForwardStatistics forwarded() {
    return forwarded;
  }

  @Override
  public Optional<TierReport> ownReport() throws IOException {
    List<TierReport> own = new ArrayList<>();
    for (SharedTier shard : shards) {
      shard.ownReport().ifPresent(own::add);
    }
    return own.isEmpty() ? Optional.empty() : Optional.of(MergedReport.of(own, List.of()));
  }

  @Override
  public TierReport report() throws IOException {
    return control.report();
  }

  @Override
  public Controlled shard(int number) {
    return control.shard(number);
  }

  @Override
  public CompletableFuture<Void> change(ServerChange change) {
    return control.change(change);
  }

  @Override
  public CompletableFuture<Void> cancelChange() {
    return control.cancelChange();
  }

  /**
   * All clients are closed, also those of other shards: what they have sent to these must not be
   * begun after they went on elsewhere.
   */
  @Override
  public void onAbandoned(Runnable listener) {
    Runnable abandoned =
        () -> {
          crossings.forEach(LoopCrossing::refuse);
          listener.run();
          crossings.forEach(LoopCrossing::refuseNoMore);
          shards.forEach(SharedTier::refuseWaiting);
        };
    shards.forEach(shard -> shard.onAbandoned(abandoned));
  }

  @Override
  public CompletableFuture<Void> ended() {
    return ended;
  }

  @Override
  public void close() {
    close(shards);
  }

  /** Closes shards side by side: each may write for long. */
  private static void close(List<SharedTier> shards) {
    List<Thread> closing =
        shards.stream().map(shard -> new Thread(shard::close, "cache-close")).toList();
    closing.forEach(Thread::start);
    boolean isInterrupted = false;
    for (Thread one : closing) {
      try {
        one.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
