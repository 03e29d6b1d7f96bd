package io.counterpart.cache.control;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The report of a tier from those of its shards. Pure. */
public final class MergedReport {
  private MergedReport() {}

  /**
   * The report of a tier. Numbers are sums; rings, and copies of the metadata, are those of the
   * shard that has the fewest, because each shard can lose only its own.
   *
   * @param shards at least one, all with the same scheme and code
   * @param all also those without a report
   */
  public static TierReport of(List<TierReport> shards, List<ShardReport> all) {
    List<CodedReport> coded =
        shards.stream().map(TierReport::coded).filter(Objects::nonNull).toList();
    return new TierReport(
        shards.get(0).scheme(),
        shards.stream()
            .flatMap(shard -> shard.servers().stream())
            .sorted(
                Comparator.comparingInt(ServerReport::shard).thenComparingInt(ServerReport::ring))
            .toList(),
        coded.isEmpty() ? null : sum(coded),
        change(shards),
        all);
  }

  private static @Nullable ChangeReport change(List<TierReport> shards) {
    return shards.stream()
        .map(TierReport::change)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static CodedReport sum(List<CodedReport> all) {
    CodedReport first = all.get(0);
    return new CodedReport(
        first.n(),
        first.k(),
        first.coder(),
        (int) least(all, CodedReport::ringsUp),
        sum(all, CodedReport::objects),
        (int) sum(all, CodedReport::openStripes),
        (int) sum(all, CodedReport::sealedStripes),
        sum(all, CodedReport::indexBytes),
        sum(all, CodedReport::logBytes),
        sum(all, CodedReport::journalBytes),
        sum(all, CodedReport::degradedReads),
        sum(all, CodedReport::failedReads),
        sum(all, CodedReport::lostObjects),
        sum(all, CodedReport::restoredObjects),
        sum(all, CodedReport::restoredParity),
        sum(all, CodedReport::movedObjects),
        sum(all, CodedReport::stripesToRestore),
        sum(all, CodedReport::slots),
        sum(all, CodedReport::emptiedStripes),
        sum(all, CodedReport::objectsOfEmptied),
        sum(all, CodedReport::reapedObjects),
        sum(all, CodedReport::evictedObjects),
        sum(all, CodedReport::stayedObjects),
        sum(all, CodedReport::evictedSeconds),
        all.stream().mapToLong(CodedReport::evictionAgeSeconds).max().orElse(0),
        (int) least(all, CodedReport::metadataCopies));
  }

  private static long sum(List<CodedReport> all, ToLongFunction<CodedReport> number) {
    return all.stream().mapToLong(number).sum();
  }

  private static long least(List<CodedReport> all, ToLongFunction<CodedReport> number) {
    return all.stream().mapToLong(number).min().orElse(0);
  }
}
