package io.counterpart.cache.service;

import io.counterpart.cache.coding.CodingLibrary;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coded tier of several shards. Each has servers, metadata, an owner and an event loop of its
 * own, so each fails, recovers and changes its servers alone. This proxy owns some of them, and
 * forwards to the owners of the others. Thread-safe.
 */
final class ShardedTier implements OpenTier {
  private static final Logger logger = LoggerFactory.getLogger(ShardedTier.class);

  private final List<SharedTier> shards;
  private final ForwardStatistics forwarded;
  private final ShardsControl control;

  /** The objects as each event loop reaches them. */
  private final List<ObjectTier> objects = new ArrayList<>();

  private final List<LoopCrossing> crossings = new ArrayList<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private ShardedTier(
      List<SchemeContext> contexts, List<SharedTier> shards, ForwardStatistics forwarded) {
    this.shards = shards;
    this.forwarded = forwarded;
    this.control = new ShardsControl(shards, number -> shards.get(number).role());
    for (SchemeContext from : contexts) {
      objects.add(new ShardedObjects(contexts.stream().map(to -> way(from, to)).toList()));
    }
    failWithAny(shards, ended);
    all(shards.stream().map(SharedTier::ended)).thenRun(() -> ended.complete(null));
  }

  /** A shard as an event loop reaches it. */
  private ObjectTier way(SchemeContext from, SchemeContext to) {
    ObjectTier shard = shards.get(to.shard()).objects().get(0);
    if (from.shard() == to.shard()) {
      return shard;
    }
    LoopCrossing crossing =
        new LoopCrossing(from.loop(), shard, to.memory(), ended::completeExceptionally);
    crossings.add(crossing);
    return crossing;
  }

  private static CompletableFuture<Void> all(Stream<? extends CompletableFuture<?>> of) {
    return CompletableFuture.allOf(of.toArray(CompletableFuture<?>[]::new));
  }

  /** Fails a future with the first shard that ends by itself. */
  private static void failWithAny(List<SharedTier> shards, CompletableFuture<Void> failed) {
    for (SharedTier shard : shards) {
      shard
          .ended()
          .whenComplete(
              (nothing, why) -> {
                if (why != null) {
                  failed.completeExceptionally(why);
                }
              });
    }
  }

  /**
   * Opens all shards at once; a tier of one is that shard.
   *
   * @param contexts of the shards, by number
   * @return done when all are open; fails with the reason of one, and nothing is left open
   */
  static CompletableFuture<OpenTier> open(List<SchemeContext> contexts) {
    CodingLibrary library = CodingLibrary.load();
    logger.info("coding: {}", library);
    ForwardStatistics forwarded = new ForwardStatistics();
    List<SharedTier> shards = new ArrayList<>();
    try {
      SchemeContext first = contexts.get(0);
      TierMetadata.claim(first.metadata(), first.options());
      for (SchemeContext context : contexts) {
        shards.add(SharedTier.begin(context, library, forwarded));
      }
    } catch (IOException | IllegalArgumentException e) {
      close(shards);
      return CompletableFuture.failedFuture(e);
    }
    if (shards.size() == 1) {
      return shards.get(0).opened();
    }
    CompletableFuture<Void> failed = new CompletableFuture<>();
    failWithAny(shards, failed); // before it is open, or while it waits for the others
    return CompletableFuture.anyOf(all(shards.stream().map(SharedTier::opened)), failed)
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
    return List.copyOf(objects);
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
