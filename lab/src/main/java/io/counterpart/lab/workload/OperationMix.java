package io.counterpart.lab.workload;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The operations of a phase: their shares, and the popularity of keys.
 *
 * <p>The six core workloads are YCSB's (Cooper et al., SoCC'10); the others are one operation each
 * (DEPART §5.2, Experiment 1). A scan reads {@value #SCAN_ROWS} consecutive rows.
 *
 * @param name stable name
 * @param read share of reads of one row, 0 to 1
 * @param update share of overwrites of a whole row
 * @param insert share of new rows
 * @param scan share of scans
 * @param readModifyWrite share of reads followed by an overwrite of the same row
 * @param popularity which keys are drawn
 */
public record OperationMix(
    String name,
    double read,
    double update,
    double insert,
    double scan,
    double readModifyWrite,
    Popularity popularity) {
  /** Rows that a scan reads. */
  public static final int SCAN_ROWS = 100;

  /** Reads of one row. */
  public static final OperationMix READS = zipfian("read", 1, 0, 0, 0, 0);

  /** Overwrites of one row. */
  public static final OperationMix UPDATES = zipfian("update", 0, 1, 0, 0, 0);

  /** New rows. */
  public static final OperationMix INSERTS = zipfian("insert", 0, 0, 1, 0, 0);

  /** Scans. */
  public static final OperationMix SCANS = zipfian("scan", 0, 0, 0, 1, 0);

  /** Reads of one row, all rows alike: nearly every one meets another part of the disk. */
  public static final OperationMix UNIFORM_READS =
      new OperationMix("read_uniform", 1, 0, 0, 0, 0, Popularity.UNIFORM);

  private static final List<OperationMix> ALL =
      List.of(
          READS,
          UNIFORM_READS,
          UPDATES,
          INSERTS,
          SCANS,
          zipfian("ycsb_a", 0.5, 0.5, 0, 0, 0),
          zipfian("ycsb_b", 0.95, 0.05, 0, 0, 0),
          zipfian("ycsb_c", 1, 0, 0, 0, 0),
          new OperationMix("ycsb_d", 0.95, 0, 0.05, 0, 0, Popularity.LATEST),
          zipfian("ycsb_e", 0, 0, 0.05, 0.95, 0),
          zipfian("ycsb_f", 0.5, 0, 0, 0, 0.5));

  /** Which keys are drawn more often than others. */
  public enum Popularity {
    /** A few keys, spread over the key space. */
    ZIPFIAN,
    /** The newest keys. */
    LATEST,
    /** None. */
    UNIFORM
  }

  /** Checks that the shares are a whole. */
  public OperationMix {
    double sum = read + update + insert + scan + readModifyWrite;
    if (Math.abs(sum - 1) > 1e-9
        || Math.min(Math.min(Math.min(read, update), Math.min(insert, scan)), readModifyWrite)
            < 0) {
      throw new IllegalArgumentException(
          "shares of %s add up to %s: none may be below 0, and their sum must be 1"
              .formatted(name, sum));
    }
  }

  /** Whether any of its operations writes. */
  public boolean writes() {
    return update + insert + readModifyWrite > 0;
  }

  /** What is left without its writes, of the same popularity; empty if it only writes. */
  public Optional<OperationMix> withoutWrites() {
    double reads = read + readModifyWrite;
    double left = reads + scan;
    return left == 0
        ? Optional.empty()
        : Optional.of(new OperationMix(name, reads / left, 0, 0, scan / left, 0, popularity));
  }

  /** Every mix, micro operations first. */
  public static List<OperationMix> all() {
    return ALL;
  }

  /**
   * The mix of a name.
   *
   * @throws IllegalArgumentException naming the legal ones
   */
  public static OperationMix named(String name) {
    Optional<OperationMix> found = ALL.stream().filter(mix -> mix.name().equals(name)).findFirst();
    return found.orElseThrow(
        () ->
            new IllegalArgumentException(
                "workload '%s': must be one of %s"
                    .formatted(
                        name,
                        ALL.stream().map(OperationMix::name).collect(Collectors.joining(", ")))));
  }

  private static OperationMix zipfian(
      String name, double read, double update, double insert, double scan, double modify) {
    return new OperationMix(name, read, update, insert, scan, modify, Popularity.ZIPFIAN);
  }
}
