package io.counterpart.core.runs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Decides when a queue of flushed files, each with copies of many range groups, is rewritten into
 * one file per group: segments of the global log into sorted runs, wide primary files into the
 * primary tree.
 *
 * <p>A rewrite is due when the queue has at least {@code minFiles} files <em>and</em> its bytes
 * give every group an output of {@code minOutputBytes}; or when it has {@code maxFiles} files (the
 * bound on what a read may have to consult); or when no file has come for {@code idle} and the
 * queue holds more than {@link #MAX_IDLE_SHARE} of the data (so that a quiet node ends up aligned,
 * which recovery by whole files needs, while a trickle of small flushes is not cut into slivers).
 *
 * <p>A rewrite takes along the small outputs of earlier rewrites ({@link #takesAlong}), so that a
 * group keeps few small files however small the batches are.
 *
 * <p>Paper: DEPART §4.3 takes a fixed number of segments, 20 (§5.1). Deviates: the bytes condition
 * and the small files taken along bound the number of files, which at small memtables would
 * otherwise grow without limit.
 *
 * @param minFiles ≥ 1
 * @param maxFiles ≥ minFiles
 * @param minOutputBytes ≥ 0; 0 switches the bytes condition off (paper-exact)
 * @param idle positive
 */
public record BatchPolicy(int minFiles, int maxFiles, long minOutputBytes, Duration idle) {

  /** Share of the data that may stay in the queue of a quiet table. */
  public static final double MAX_IDLE_SHARE = 0.05;

  /**
   * What is taken along, in multiples of what comes. Bounds what small batches cost: a byte is
   * taken along 4 to 5 times at most.
   */
  private static final int MAX_TAKEN_ALONG = 8;

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
    if (idle.isNegative() || idle.isZero()) {
      throw new IllegalArgumentException("idle " + idle + ", legal: positive");
    }
  }

  /**
   * Decides for one queue.
   *
   * @param oldestFirst sizes in bytes of the queued files, oldest first
   * @param sinceNewest time since the newest file came
   * @param groups number of groups that a rewrite writes to
   * @param settledBytes bytes that earlier rewrites have put in place
   */
  public BatchDecision decide(
      List<Long> oldestFirst, Duration sinceNewest, int groups, long settledBytes) {
    int files = oldestFirst.size();
    if (files == 0) {
      return BatchDecision.WAIT_FOR_FILES;
    }
    int batch = Math.min(files, maxFiles);
    if (files >= maxFiles) {
      return new BatchDecision.Rewrite(batch, BatchDecision.Reason.LIMIT, true);
    }
    long bytes = oldestFirst.stream().mapToLong(Long::longValue).sum();
    if (files >= minFiles && bytes >= minOutputBytes * Math.max(1, groups)) {
      return new BatchDecision.Rewrite(batch, BatchDecision.Reason.COUNT_AND_BYTES, false);
    }
    if (bytes <= MAX_IDLE_SHARE * (bytes + settledBytes)) {
      return BatchDecision.WAIT_FOR_FILES;
    }
    Duration untilQuiet = idle.minus(sinceNewest);
    return untilQuiet.compareTo(Duration.ZERO) > 0
        ? new BatchDecision.Wait(Optional.of(untilQuiet))
        : new BatchDecision.Rewrite(batch, BatchDecision.Reason.IDLE, false);
  }

  /**
   * How many settled files of a group are rewritten together with the batch that comes to it: the
   * smallest ones, each of less than half the wished size, and together not much more than what
   * comes.
   *
   * @param ascending sizes in bytes of files that earlier rewrites wrote to the group
   * @param comingBytes what the batch adds to the group
   */
  public int takesAlong(List<Long> ascending, long comingBytes) {
    int taken = 0;
    long bytes = 0;
    for (long size : ascending) {
      bytes += size;
      if (size >= minOutputBytes / 2 || bytes > MAX_TAKEN_ALONG * comingBytes) {
        break;
      }
      taken++;
    }
    return taken;
  }
}
