package io.counterpart.core.simulator;

/**
 * A client workload: every key is inserted once, then existing keys are updated.
 *
 * @param keys keys inserted, 1 to 10^12
 * @param updates updates after the inserts, 0 to 10^12
 * @param entryBytes bytes of one version of one key, 1 to 2^30
 * @param zipfExponent skew of the updates, 0 (uniform) inclusive to 1 exclusive
 */
public record Workload(long keys, long updates, long entryBytes, double zipfExponent) {
  private static final long MOST = 1_000_000_000_000L;

  public Workload {
    Legal.between("keys", keys, 1, MOST);
    Legal.between("updates", updates, 0, MOST);
    Legal.between("entryBytes", entryBytes, 1, 1L << 30);
    if (!(zipfExponent >= 0 && zipfExponent < 1)) {
      throw new IllegalArgumentException(
          "zipfExponent " + zipfExponent + ", legal: 0 and above, below 1");
    }
  }

  /** Bytes that clients write, before replication. */
  double userBytes() {
    return (keys + (double) updates) * entryBytes;
  }

  Popularity popularity() {
    return updates == 0 ? Popularity.none() : Popularity.zipfian(keys, zipfExponent);
  }
}
