package io.counterpart.core.engine.advice;

/**
 * Operations on one table, of all nodes together. A read at QUORUM of three copies counts twice on
 * nodes and once for its client.
 *
 * @param reads reads of one partition on nodes, a second
 * @param writes writes on nodes, a second
 * @param scans reads of a token range on nodes, a second
 * @param clientReads reads of one partition that clients asked for, a second
 * @param operations reads, writes and scans on nodes that were counted
 * @param readMillis mean time of a read on its node; not a number where nobody knows
 */
public record Load(
    double reads,
    double writes,
    double scans,
    double clientReads,
    long operations,
    double readMillis) {
  /** Checks. */
  public Load {
    if (Math.min(Math.min(reads, writes), Math.min(scans, clientReads)) < 0 || operations < 0) {
      throw new IllegalArgumentException(
          "a load has %s reads, %s writes, %s scans, %s client reads, %d operations, legal: none negative"
              .formatted(reads, writes, scans, clientReads, operations));
    }
  }

  /** Reads and writes on nodes, a second. */
  public double perSecond() {
    return reads + writes;
  }

  /** Share of reads, 0 to 1, of reads and writes on nodes. */
  public double readShare() {
    return perSecond() == 0 ? 0 : reads / perSecond();
  }

  /** Copies that a client's read asks, 0 where no client reads. */
  double copiesAsked() {
    return clientReads == 0 ? 0 : reads / clientReads;
  }

  /** What limits the reads. */
  Limit limit() {
    return readMillis >= EngineCosts.DISK_READ_MILLIS ? Limit.DISK : Limit.TIME;
  }
}
