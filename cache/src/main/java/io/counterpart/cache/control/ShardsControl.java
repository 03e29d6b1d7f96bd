package io.counterpart.cache.control;

import io.counterpart.cache.ring.ServerDealing;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Several shards as one tier for operators. The owner of a shard may be on another machine, which
 * cannot be asked from here, or not be known: what it knows is left out. A change of servers
 * concerns one shard. Thread-safe.
 */
public final class ShardsControl implements Controlled {
  private final List<? extends Controlled> shards;
  private final IntFunction<String> roles;

  /**
   * @param shards by number
   * @param roles the role of this proxy in each
   */
  public ShardsControl(List<? extends Controlled> shards, IntFunction<String> roles) {
    this.shards = List.copyOf(shards);
    this.roles = roles;
  }

  /** A shard's report; null if there is none. */
  private record Asked(ShardReport shard, @Nullable TierReport report) {
    Set<String> addresses() {
      return report == null
          ? Set.of()
          : report.servers().stream().map(ServerReport::address).collect(Collectors.toSet());
    }

    @Nullable ChangeReport change() {
      return report == null ? null : report.change();
    }
  }

  @Override
  public TierReport report() throws IOException {
    List<Asked> asked = ask();
    List<TierReport> known = asked.stream().map(Asked::report).filter(Objects::nonNull).toList();
    if (known.isEmpty()) {
      throw new IOException(asked.get(0).shard().unknown());
    }
    return MergedReport.of(known, asked.stream().map(Asked::shard).toList());
  }

  /** Asks all at once: an owner that stands still lets each wait for seconds. */
  private List<Asked> ask() {
    List<CompletableFuture<Asked>> asked =
        IntStream.range(0, shards.size())
            .mapToObj(
                number ->
                    CompletableFuture.supplyAsync(
                        () -> ask(number), body -> ControlServer.start("cache-status", body)))
            .toList();
    return asked.stream().map(CompletableFuture::join).toList();
  }

  private Asked ask(int number) {
    String role = roles.apply(number);
    try {
      TierReport report = shards.get(number).report();
      return new Asked(new ShardReport(number, role, ""), report);
    } catch (IOException | RuntimeException e) {
      return new Asked(new ShardReport(number, role, String.valueOf(e.getMessage())), null);
    }
  }

  @Override
  public Controlled shard(int number) {
    if (number < 0 || number >= shards.size()) {
      throw new IllegalArgumentException(
          "shard %d, legal: 0 to %d".formatted(number, shards.size() - 1));
    }
    return shards.get(number);
  }

  /** Changes the servers of the shard with the fewest, or of the one that has those to remove. */
  @Override
  public CompletableFuture<Void> change(ServerChange change) {
    try {
      List<Asked> asked = ask();
      for (Asked shard : asked) {
        if (shard.change() != null) {
          throw new IllegalStateException("another change is under way: " + shard.change());
        }
      }
      List<Set<String>> servers = asked.stream().map(Asked::addresses).toList();
      if (servers.stream().allMatch(Set::isEmpty)) {
        throw unknown(asked);
      }
      List<String> named = change.servers().stream().map(Object::toString).toList();
      if (change.kind() == ServerChange.Kind.REMOVE && mayBeElsewhere(named, asked)) {
        throw unknown(asked);
      }
      int shard =
          change.kind() == ServerChange.Kind.ADD
              ? ServerDealing.toAdd(named, servers)
              : ServerDealing.toRemove(named, servers);
      return shards.get(shard).change(change);
    } catch (IllegalArgumentException | IllegalStateException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Whether servers may be of a shard that is not known: no other one has any of them. */
  private static boolean mayBeElsewhere(List<String> named, List<Asked> asked) {
    return asked.stream().anyMatch(shard -> shard.report() == null)
        && asked.stream()
            .map(Asked::addresses)
            .noneMatch(known -> named.stream().anyMatch(known::contains));
  }

  private static IllegalStateException unknown(List<Asked> asked) {
    return new IllegalStateException(
        asked.stream()
            .filter(shard -> shard.report() == null)
            .map(shard -> "shard %d: %s".formatted(shard.shard().number(), shard.shard().unknown()))
            .collect(Collectors.joining("; ", "the servers of a shard are not known here: ", "")));
  }

  @Override
  public CompletableFuture<Void> cancelChange() {
    List<Asked> asked = ask();
    for (int shard = 0; shard < asked.size(); shard++) {
      if (asked.get(shard).change() != null) {
        return shards.get(shard).cancelChange();
      }
    }
    boolean areAllKnown = asked.stream().allMatch(shard -> shard.report() != null);
    return CompletableFuture.failedFuture(
        areAllKnown ? Controlled.nothingToCancel() : unknown(asked));
  }
}
