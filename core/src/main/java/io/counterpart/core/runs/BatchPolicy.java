package io.counterpart.core.runs;

import java.time.Duration;
import java.util.List;

/**
 * When a queue of flushed files, which each hold copies of many range groups, is rewritten into one
 * file per group: segments of the global log into sorted runs, wide primary files into the primary
 * tree.
 *
 * <p>A rewrite is due when the queue has at least {@code minFiles} files <em>and</em> its bytes
 * give every group an output of {@code minOutputBytes}; or when it has {@code maxFiles} files (the
 * bound on what a read may have to consult); or when its oldest file is {@code maxAge} old (so that
 * an idle node ends up aligned, which recovery by whole files needs).
 *
 * <p>Paper: DEPART §4.3 takes a fixed number of segments, 20 (§5.1). Deviates: the bytes condition
 * bounds the number of files, which at small memtables would otherwise grow without limit.
 *
 * @param minFiles ≥ 1
 * @param maxFiles ≥ minFiles
 * @param minOutputBytes ≥ 0; 0 switches the bytes condition off (paper-exact)
 * @param maxAge positive
 */
public record BatchPolicy(int minFiles, int maxFiles, long minOutputBytes, Duration maxAge) {

  public BatchPolicy {
    if (minFiles < 1) {
      throw new IllegalArgumentException("minFiles " + minFiles + ", legal: 1 and above");
    }
    if (maxFiles < minFiles) {
      throw new IllegalArgumentException(
          "maxFiles " + maxFiles + ", legal: minFiles (" + minFiles + ") and above");
    }
    if (minOutputBytes < 0) {
      throw new IllegalArgumentException(
          "minOutputBytes " + minOutputBytes + ", legal: 0 and above");
    }
    if (maxAge.isNegative() || maxAge.isZero()) {
      throw new IllegalArgumentException("maxAge " + maxAge + ", legal: positive");
    }
  }

  /**
   * Decides for one queue.
   *
   * @param oldestFirst sizes in bytes of the queued files, oldest first
   * @param oldestAge age of the oldest file
   * @param groups number of groups that a rewrite writes to
   */
  public BatchDecision decide(List<Long> oldestFirst, Duration oldestAge, int groups) {
    int files = oldestFirst.size();
    if (files == 0) {
      return new BatchDecision.Wait();
    }
    int batch = Math.min(files, maxFiles);
    if (files >= maxFiles) {
      return new BatchDecision.Rewrite(batch, BatchDecision.Reason.LIMIT, true);
    }
    long bytes = oldestFirst.stream().mapToLong(Long::longValue).sum();
    if (files >= minFiles && bytes >= minOutputBytes * Math.max(1, groups)) {
      return new BatchDecision.Rewrite(batch, BatchDecision.Reason.COUNT_AND_BYTES, false);
    }
    if (oldestAge.compareTo(maxAge) >= 0) {
      return new BatchDecision.Rewrite(batch, BatchDecision.Reason.AGE, false);
    }
    return new BatchDecision.Wait();
  }
}
