package io.counterpart.cassandra.report;

import io.counterpart.core.ring.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * A table, or one strategy instance's part of it, at one moment.
 *
 * @param keyspace its keyspace
 * @param table its name
 * @param mode decoupled, mlsm or uniform
 * @param maxRuns S
 * @param groups owned range groups; empty without a ring
 * @param sstables live sstables
 * @param backlog rewrites that are due
 * @param written bytes since the node started; the same for all instances of a table
 */
public record TableReport(
    String keyspace,
    String table,
    String mode,
    int maxRuns,
    boolean scatteredGroups,
    List<RangeGroupReport> groups,
    List<SSTableReport> sstables,
    int backlog,
    WrittenBytes written) {

  public TableReport {
    groups = List.copyOf(groups);
    sstables = List.copyOf(sstables);
  }

  /** The instances of one table as one report. */
  static TableReport merged(List<TableReport> parts) {
    TableReport first = parts.get(0);
    List<SSTableReport> sstables = new ArrayList<>();
    int backlog = 0;
    for (TableReport part : parts) {
      sstables.addAll(part.sstables());
      backlog += part.backlog();
    }
    return new TableReport(
        first.keyspace,
        first.table,
        first.mode,
        first.maxRuns,
        first.scatteredGroups,
        first.groups,
        sstables,
        backlog,
        first.written);
  }

  public long bytes(Role role) {
    return withRole(role).stream().mapToLong(SSTableReport::sizeBytes).sum();
  }

  public List<SSTableReport> withRole(Role role) {
    return sstables.stream().filter(sstable -> sstable.role() == role).toList();
  }

  /** Aligned sstables that are not in the format of their role. */
  public int otherFormatSstables() {
    return (int) sstables.stream().filter(SSTableReport::otherFormat).count();
  }

  /** Share of the bytes on disk that would stream as whole files, from 0 to 1; 1 for no bytes. */
  public double zeroCopyShare() {
    long all = sstables.stream().mapToLong(SSTableReport::sizeBytes).sum();
    long aligned =
        sstables.stream()
            .filter(SSTableReport::isAligned)
            .mapToLong(SSTableReport::sizeBytes)
            .sum();
    return all == 0 ? 1 : (double) aligned / all;
  }
}
