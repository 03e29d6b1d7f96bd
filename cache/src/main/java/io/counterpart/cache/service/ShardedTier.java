package io.counterpart.cache.service;

import io.counterpart.cache.control.Controlled;
import io.counterpart.cache.control.MergedReport;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.shards.LoopCrossing;
import io.counterpart.cache.shards.ServerDealing;
import io.counterpart.cache.shards.ShardedObjects;
import io.counterpart.cache.tier.ObjectTier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
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
  private final List<List<ObjectTier>> reached = new ArrayList<>();
  private final List<List<LoopCrossing>> crossings = new ArrayList<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private ShardedTier(
      List<SchemeContext> contexts, List<SharedTier> shards, ForwardStatistics forwarded) {
    this.contexts = contexts;
    this.shards = shards;
    this.forwarded = forwarded;
    for (int to = 0; to < shards.size(); to++) {
      ObjectTier shard = shards.get(to).objects().get(0);
      List<ObjectTier> ways = new ArrayList<>();
      List<LoopCrossing> crossing = new ArrayList<>();
      for (SchemeContext from : contexts) {
        if (from.shard() == to) {
          ways.add(shard);
        } else {
          LoopCrossing way =
              new LoopCrossing(
                  from.loop(), shard, contexts.get(to).memory(), ended::completeExceptionally);
          ways.add(way);
          crossing.add(way);
        }
      }
      reached.add(ways);
      crossings.add(crossing);
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
   * Opens all shards at once.
   *
   * @param contexts of the shards, by number
   * @return done when all are open; fails as {@link SharedTier#open} does, with nothing left open
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
    CompletableFuture<Void> failed = new CompletableFuture<>();
    shards.forEach(
        shard ->
            shard
                .opened()
                .exceptionally(
                    why -> {
                      failed.completeExceptionally(why);
                      return shard;
                    }));
    CompletableFuture<Void> opened =
        CompletableFuture.allOf(
            shards.stream().map(SharedTier::opened).toArray(CompletableFuture<?>[]::new));
    return CompletableFuture.anyOf(opened, failed)
        .handle(
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
    return "owner of %d of %d shards".formatted(shardsOwned(), shards.size());
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
    return own.isEmpty() ? Optional.empty() : Optional.of(MergedReport.of(own));
  }

  @Override
  public TierReport report() throws IOException {
    return MergedReport.of(reports());
  }

  private List<TierReport> reports() throws IOException {
    List<TierReport> reports = new ArrayList<>();
    for (SharedTier shard : shards) {
      reports.add(shard.report());
    }
    return reports;
  }

  @Override
  public Controlled shard(int number) {
    if (number < 0 || number >= shards.size()) {
      throw new IllegalArgumentException(
          "shard %d, legal: 0 to %d".formatted(number, shards.size() - 1));
    }
    return shards.get(number);
  }

  /** Changes the servers of one shard: of the smallest one, or of the one that has them. */
  @Override
  public CompletableFuture<Void> change(ServerChange change) {
    try {
      List<TierReport> reports = reports();
      TierReport all = MergedReport.of(reports);
      if (all.change() != null) {
        throw new IllegalStateException("another change is under way: " + all.change());
      }
      List<Set<String>> servers = reports.stream().map(ShardedTier::addresses).toList();
      List<String> named = change.servers().stream().map(Object::toString).toList();
      int shard =
          change.kind() == ServerChange.Kind.ADD
              ? ServerDealing.toAdd(named, servers)
              : ServerDealing.toRemove(named, servers);
      return shards.get(shard).change(change);
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static Set<String> addresses(TierReport report) {
    return report.servers().stream().map(ServerReport::address).collect(Collectors.toSet());
  }

  @Override
  public CompletableFuture<Void> cancelChange() {
    try {
      List<TierReport> reports = reports();
      for (int shard = 0; shard < reports.size(); shard++) {
        if (reports.get(shard).change() != null) {
          return shards.get(shard).cancelChange();
        }
      }
      throw ServerChanges.nothingToCancel();
    } catch (IOException | IllegalStateException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void onAbandoned(Runnable listener) {
    for (int shard = 0; shard < shards.size(); shard++) {
      List<LoopCrossing> toIt = crossings.get(shard);
      shards
          .get(shard)
          .onAbandoned(
              () -> {
                listener.run();
                toIt.forEach(LoopCrossing::refuseSent);
              });
    }
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
