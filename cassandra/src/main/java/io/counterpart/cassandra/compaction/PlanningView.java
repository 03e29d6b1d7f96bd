package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.ring.Placed;
import io.counterpart.core.plan.Decision;
import io.counterpart.core.plan.FileState;
import io.counterpart.core.plan.Plan;
import io.counterpart.core.plan.PlannedFile;
import io.counterpart.core.plan.Planner;
import io.counterpart.core.plan.TableState;
import io.counterpart.core.ring.RingView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * The planner's view of an instance at one moment: turns sstables into the planner's records and
 * its picks back into sstables. Immutable.
 */
final class PlanningView {
  private final List<SSTableReader> sstables;
  private final TableState<PartitionPosition> state;
  private final Planner<PartitionPosition> planner;

  PlanningView(
      List<SSTableReader> sstables,
      TableState<PartitionPosition> state,
      Planner<PartitionPosition> planner) {
    this.sstables = List.copyOf(sstables);
    this.state = state;
    this.planner = planner;
  }

  /** One record a placed sstable, numbered by its place in the list. */
  static List<PlannedFile<PartitionPosition>> files(
      List<SSTableReader> sstables,
      Catalog catalog,
      RingView<Token> ring,
      Function<SSTableReader, FileState> state) {
    List<PlannedFile<PartitionPosition>> files = new ArrayList<>(sstables.size());
    for (int number = 0; number < sstables.size(); number++) {
      SSTableReader sstable = sstables.get(number);
      Placed where = catalog.placed(sstable);
      if (where != null) {
        files.add(
            new PlannedFile<>(
                number,
                where.role(),
                where.group(),
                groups(sstable, where, ring),
                sstable.onDiskLength(),
                catalog.createdMillis(sstable),
                sstable.getFirst(),
                sstable.getLast(),
                state.apply(sstable)));
      }
    }
    return files;
  }

  private static int groups(SSTableReader sstable, Placed where, RingView<Token> ring) {
    return where.group() == Placed.NO_GROUP
        ? ring.groupsWithin(
            sstable.getFirst().getToken(), sstable.getLast().getToken(), PlannedFile.FEW_GROUPS + 1)
        : 1;
  }

  /** The same sstables as those of a table that is divided, however small. */
  PlanningView divided() {
    return new PlanningView(sstables, state, planner.divided());
  }

  Plan plan() {
    return planner.plan(state);
  }

  List<Decision> purges() {
    return planner.purges(state);
  }

  List<Decision> everything() {
    return planner.everything(state);
  }

  boolean isUndivided() {
    return planner.isUndivided(state);
  }

  List<SSTableReader> inputs(Decision task) {
    return task.inputs().stream().map(sstables::get).toList();
  }

  /** Whether the inputs span range groups, or hold both kinds of copies. */
  boolean isWide(Decision task) {
    return state.files().stream()
        .anyMatch(file -> file.number() == task.inputs().get(0) && !file.isAligned());
  }

  Set<SSTableReader> takenAlong(Decision task) {
    return task.takenAlong().stream().map(sstables::get).collect(Collectors.toUnmodifiableSet());
  }
}
