package io.counterpart.lab.plan;

import java.util.Locale;

/**
 * The limits of page cache and disk reads while a phase runs, equal on all nodes. A machine whose
 * memory holds all data hides the cost of a read: the paper's nodes have 32 GiB for up to 250 GiB.
 *
 * @param cacheFraction page cache of a node ÷ the table's bytes on it, 0.01 to 10; 0 for no limit
 * @param readsPerSecond most reads of a node that reach its disk, 10 to 1,000,000; 0 for no limit
 * @param isOfFirstTable whether the fraction is of the stage's first table, so that arms whose data
 *     differ in size have the same memory; else of the arm's own
 * @param serverCacheMebibytes page cache of a server whose nodes have no entries in their heaps,
 *     {@value #LEAST_CACHE_MEBIBYTES} or more, in place of a fraction; 0 for none
 */
public record Regime(
    double cacheFraction, int readsPerSecond, boolean isOfFirstTable, int serverCacheMebibytes) {
  /** {@link #LEAST_CACHE_BYTES} in MiB. */
  public static final int LEAST_CACHE_MEBIBYTES = 32;

  /**
   * The least page cache of a limited node: what a Java process maps and grows by within a second
   * must fit, or the system would end the process.
   */
  public static final long LEAST_CACHE_BYTES = (long) LEAST_CACHE_MEBIBYTES << 20;

  private static final int MOST_READS = 1_000_000;

  /** Limits whose cache is a share of the arm's own data. */
  public Regime(double cacheFraction, int readsPerSecond) {
    this(cacheFraction, readsPerSecond, false, 0);
  }

  /**
   * Limits of each server, whatever data it holds.
   *
   * @param cacheMebibytes page cache of all its nodes together, and entries that they have in heaps
   */
  public static Regime ofServer(int cacheMebibytes, int readsPerSecond) {
    return new Regime(0, readsPerSecond, false, cacheMebibytes);
  }

  /** The limits of a server whose nodes have so much of its memory for data in their heaps. */
  public Regime beside(int entriesMebibytes) {
    return serverCacheMebibytes == 0
        ? this
        : ofServer(
            Math.max(LEAST_CACHE_MEBIBYTES, serverCacheMebibytes - entriesMebibytes),
            readsPerSecond);
  }

  /** The same limits with a cache of the same size for all arms. */
  public Regime withSameCache() {
    return new Regime(cacheFraction, readsPerSecond, true, serverCacheMebibytes);
  }

  /** All of the machine. */
  public static final Regime UNLIMITED = new Regime(0, 0);

  /** The point that headline figures are quoted at: a third of the data, a small disk array. */
  public static final Regime HEADLINE = new Regime(1 / 3.0, 200);

  /** Checks every range. */
  public Regime {
    if (cacheFraction != 0 && !(cacheFraction >= 0.01 && cacheFraction <= 10)) {
      throw new IllegalArgumentException(
          "cache fraction %s: must be 0.01 to 10, or 0 for no limit".formatted(cacheFraction));
    }
    if (serverCacheMebibytes != 0
        && (serverCacheMebibytes < LEAST_CACHE_MEBIBYTES || cacheFraction != 0)) {
      throw new IllegalArgumentException(
          "page cache of a server %d MiB, beside a fraction %s: must be %d or above without one, or 0"
              .formatted(serverCacheMebibytes, cacheFraction, LEAST_CACHE_MEBIBYTES));
    }
    if (readsPerSecond != 0 && (readsPerSecond < 10 || readsPerSecond > MOST_READS)) {
      throw new IllegalArgumentException(
          "reads per second %d: must be 10 to %d, or 0 for no limit"
              .formatted(readsPerSecond, MOST_READS));
    }
  }

  /** The same cache with a disk that is as fast as it is. */
  public Regime atFullDiskSpeed() {
    return isLimited()
        ? new Regime(cacheFraction, MOST_READS, isOfFirstTable, serverCacheMebibytes)
        : this;
  }

  /** Whether anything is limited. */
  public boolean isLimited() {
    return cacheFraction > 0 || readsPerSecond > 0 || serverCacheMebibytes > 0;
  }

  /** Page cache of a server that holds so many bytes of the table; 0 for no limit. */
  public long cacheBytes(long tableBytes) {
    if (serverCacheMebibytes > 0) {
      return (long) serverCacheMebibytes << 20;
    }
    return cacheFraction == 0
        ? 0
        : Math.max(LEAST_CACHE_BYTES, (long) (cacheFraction * tableBytes));
  }

  /** For people: "page cache 0.33 (32 MiB or more) of the data, 200 disk reads/s a node". */
  public String describe() {
    if (serverCacheMebibytes > 0) {
      return "page cache %d MiB, %s disk reads/s a server".formatted(serverCacheMebibytes, reads());
    }
    return isLimited()
        ? String.format(
            Locale.ROOT,
            "page cache %s, %s disk reads/s a node",
            cacheFraction == 0
                ? "any part of the data"
                : String.format(
                    Locale.ROOT,
                    "%.2f (%d MiB or more) of %s data",
                    cacheFraction,
                    LEAST_CACHE_BYTES >> 20,
                    isOfFirstTable ? "the first table's" : "the"),
            reads())
        : "not limited";
  }

  private String reads() {
    return readsPerSecond == 0 ? "any number of" : String.valueOf(readsPerSecond);
  }
}
