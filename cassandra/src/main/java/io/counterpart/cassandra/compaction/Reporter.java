package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.format.CopyFormat;
import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.report.RangeGroupReport;
import io.counterpart.cassandra.report.SSTableReport;
import io.counterpart.cassandra.report.TableCounters;
import io.counterpart.cassandra.report.TableReport;
import io.counterpart.cassandra.report.WrittenBytes;
import io.counterpart.cassandra.ring.Placed;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Arc;
import io.counterpart.core.ring.RingView;
import io.counterpart.core.ring.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.CompressionParams;
import org.jspecify.annotations.Nullable;

/** Turns an instance's state into a {@link TableReport}. Called under the strategy's lock. */
final class Reporter {
  private final ColumnFamilyStore cfs;
  private final DecoupledOptions options;
  private final Mode mode;
  private final TableCounters counters;

  Reporter(ColumnFamilyStore cfs, DecoupledOptions options, Mode mode, TableCounters counters) {
    this.cfs = cfs;
    this.options = options;
    this.mode = mode;
    this.counters = counters;
  }

  TableReport report(Catalog catalog, @Nullable RingSnapshot ring, int backlog) {
    BiPredicate<SSTableReader, Role> otherFormat = isInOtherFormat();
    List<SSTableReport> sstables = new ArrayList<>();
    for (SSTableReader sstable : catalog.all()) {
      Placed where = catalog.placed(sstable);
      if (where != null) {
        sstables.add(
            new SSTableReport(
                sstable.descriptor.id.toString(),
                where.role(),
                where.group(),
                sstable.onDiskLength(),
                otherFormat.test(sstable, where.role()),
                catalog.createdMillis(sstable)));
      }
    }
    return new TableReport(
        cfs.getKeyspaceName(),
        cfs.getTableName(),
        mode.name().toLowerCase(Locale.ROOT),
        options.runPolicy().maxRuns(),
        ring != null && ring.view().hasScatteredGroups(),
        ring == null ? List.of() : groups(ring.view()),
        sstables,
        backlog,
        written());
  }

  /** Flushed files are written quickly, whatever their role's format: they are rewritten soon. */
  private BiPredicate<SSTableReader, Role> isInOtherFormat() {
    CompressionParams table = cfs.metadata().params.compression;
    Predicate<SSTableReader> asRedundant = options.redundantFormat().written(table);
    Predicate<SSTableReader> asPrimary = CopyFormat.TABLE.written(table);
    return (sstable, role) ->
        switch (role) {
          case RUN -> !asRedundant.test(sstable);
          case PRIMARY -> mode == Mode.DECOUPLED && !asPrimary.test(sstable);
          default -> false;
        };
  }

  private static List<RangeGroupReport> groups(RingView<Token> view) {
    Map<Integer, Integer> firstArc = new TreeMap<>();
    Map<Integer, Integer> arcs = new TreeMap<>();
    for (int i = 0; i < view.arcCount(); i++) {
      Arc arc = view.arcAt(i);
      if (arc.isOwned()) {
        firstArc.putIfAbsent(arc.group(), i);
        arcs.merge(arc.group(), 1, Integer::sum);
      }
    }
    List<RangeGroupReport> groups = new ArrayList<>();
    firstArc.forEach(
        (group, first) ->
            groups.add(
                new RangeGroupReport(
                    group,
                    view.arcAt(first).replicaIndex(),
                    arcs.getOrDefault(group, 0),
                    view.start(first).toString(),
                    view.end(first).toString())));
    return groups;
  }

  private WrittenBytes written() {
    long compacted = cfs.metric.compactionBytesWritten.getCount();
    if (mode != Mode.DECOUPLED) {
      return WrittenBytes.ofTrees(cfs.metric.bytesFlushed.getCount(), compacted);
    }
    long split = counters.splitBytes.getCount();
    long merged = counters.mergedBytes.getCount();
    long batch = counters.primaryBatchBytes.getCount();
    long tree = compacted - counters.compactedBeforeBytes.getCount() - split - merged - batch;
    return new WrittenBytes(
        counters.flushedPrimaryBytes.getCount(),
        counters.flushedRedundantBytes.getCount(),
        split,
        merged,
        batch,
        Math.max(0, tree));
  }
}
