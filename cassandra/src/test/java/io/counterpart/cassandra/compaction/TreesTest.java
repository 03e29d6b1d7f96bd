package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.counterpart.cassandra.compaction.OfflineTable.Rows;
import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.ring.TableRing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.AbstractCompactionStrategy;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TreesTest {
  @Test
  void asks_a_tree_that_is_idle_again_when_it_has_changed() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of())) {
      SSTableReader sstable = table.flush(Rows.of(10, 10)).get(0);
      List<IdleTree> made = new ArrayList<>();
      Trees trees =
          new Trees(
              table.cfs,
              () -> {
                made.add(new IdleTree(table.cfs, refused -> false));
                return made.get(made.size() - 1);
              });
      trees.startup();
      trees.tree(1);
      trees.tree(2);

      assertThat(trees.next(0)).isNull();
      assertThat(trees.next(0)).isNull();
      assertThat(made).extracting(tree -> tree.asked).containsExactly(1, 1);

      trees.add(2, sstable);
      assertThat(trees.next(0)).isNull();
      assertThat(made).extracting(tree -> tree.asked).containsExactly(1, 2);
    }
  }

  @Test
  void a_tree_that_refuses_a_file_keeps_none_from_the_others() throws IOException {
    Map<String, String> options = Map.of("split", "flush", "primary", "lcs");
    try (OfflineTable table = OfflineTable.create(options)) {
      List<SSTableReader> coming = new ArrayList<>();
      for (int arc : new int[] {4, 8, 12}) {
        coming.addAll(table.flush(Rows.of(10, 10).where(OfflineTable.isInArc(arc))));
      }
      List<IdleTree> made = new ArrayList<>();
      Trees trees =
          new Trees(
              table.cfs,
              () -> {
                boolean refuses = made.isEmpty();
                made.add(new IdleTree(table.cfs, refused -> refuses));
                return made.get(made.size() - 1);
              });
      Catalog catalog = catalog(table, options, trees);
      catalog.useRing(new TableRing(table.cfs, 256).current());

      catalog.replace(List.of(), coming);

      assertThat(made).extracting(tree -> tree.sstables.size()).containsExactly(0, 1, 1);
      assertThat(coming).extracting(trees::idOf).containsExactly(null, 8, 12);
    }
  }

  @Test
  void a_tree_that_refuses_one_of_several_files_keeps_the_others_alone() throws IOException {
    Map<String, String> options = Map.of("split", "flush", "primary", "lcs");
    try (OfflineTable table = OfflineTable.create(options)) {
      List<SSTableReader> files = new ArrayList<>();
      for (int flush = 0; flush < 4; flush++) {
        files.addAll(table.flush(Rows.of(10, 10).where(OfflineTable.isInArc(4))));
      }
      SSTableReader before = files.get(0);
      List<SSTableReader> coming = files.subList(1, 4);
      IdleTree tree = new IdleTree(table.cfs, refused -> refused.equals(coming.get(1)));
      Trees trees = new Trees(table.cfs, () -> tree);
      Catalog catalog = catalog(table, options, trees);
      catalog.useRing(new TableRing(table.cfs, 256).current());
      catalog.replace(List.of(), List.of(before));

      catalog.replace(List.of(before), coming);

      assertThat(tree.sstables).containsExactlyInAnyOrder(coming.get(0), coming.get(2));
      assertThat(files).extracting(trees::idOf).containsExactly(null, 4, null, 4);
      catalog.replace(coming, List.of());
      assertThat(tree.sstables).isEmpty();
    }
  }

  @Test
  void a_tree_gets_the_present_reader_where_the_announced_one_is_released() throws IOException {
    Map<String, String> options = Map.of("split", "flush", "primary", "lcs");
    try (OfflineTable table = OfflineTable.create(options)) {
      SSTableReader present = table.flush(Rows.of(10, 10).where(OfflineTable.isInArc(4))).get(0);
      IdleTree tree = new IdleTree(table.cfs, refused -> false);
      Trees trees = new Trees(table.cfs, () -> tree);
      Catalog catalog = catalog(table, options, trees);
      SSTableReader announced =
          SSTableReader.open(table.cfs, present.descriptor, table.cfs.metadata);
      catalog.replace(List.of(), List.of(announced));
      announced.selfRef().release();

      catalog.useRing(new TableRing(table.cfs, 256).current());
      catalog.placeSome();

      assertThat(tree.sstables).hasSize(1);
      assertThat(tree.sstables.iterator().next()).isSameAs(present);
    }
  }

  private static Catalog catalog(OfflineTable table, Map<String, String> options, Trees trees) {
    TableLayout layout = new TableLayout(DecoupledOptions.parse(options), Mode.DECOUPLED);
    return new Catalog(layout, trees, new LiveSSTables(table.cfs), new Object());
  }

  @Test
  void a_look_at_slow_trees_ends_soon_and_the_next_one_goes_on() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of())) {
      List<IdleTree> made = new ArrayList<>();
      Trees trees =
          new Trees(
              table.cfs,
              () -> {
                IdleTree tree = new IdleTree(table.cfs, refused -> false);
                tree.takesMillis = 150;
                made.add(tree);
                return tree;
              });
      trees.startup();
      trees.tree(1);
      trees.tree(2);
      trees.tree(3);

      assertThat(trees.next(0)).isNull();
      assertThat(made).extracting(tree -> tree.asked).containsExactlyInAnyOrder(1, 0, 0);
      assertThat(trees.isCutShort()).isTrue();
      trees.next(0);
      trees.next(0);

      assertThat(made).extracting(tree -> tree.asked).containsOnly(1);
      assertThat(trees.isCutShort()).isFalse();
    }
  }

  /** Has nothing to do, and counts who asks. */
  private static final class IdleTree extends AbstractCompactionStrategy {
    private final Set<SSTableReader> sstables = new HashSet<>();
    private final Predicate<SSTableReader> refuses;
    private int asked;
    private long takesMillis;

    IdleTree(ColumnFamilyStore cfs, Predicate<SSTableReader> refuses) {
      super(cfs, Map.of());
      this.refuses = refuses;
    }

    @Override
    public @Nullable AbstractCompactionTask getNextBackgroundTask(long gcBefore) {
      asked++;
      Uninterruptibles.sleepUninterruptibly(takesMillis, TimeUnit.MILLISECONDS);
      return null;
    }

    @Override
    public Collection<AbstractCompactionTask> getMaximalTask(long gcBefore, boolean splitOutput) {
      return List.of();
    }

    @Override
    public @Nullable AbstractCompactionTask getUserDefinedTask(
        Collection<SSTableReader> wanted, long gcBefore) {
      return null;
    }

    @Override
    public int getEstimatedRemainingTasks() {
      return 0;
    }

    @Override
    public long getMaxSSTableBytes() {
      return Long.MAX_VALUE;
    }

    @Override
    public void addSSTable(SSTableReader added) {
      // as a leveled tree, which knows the file before it finds it a level
      sstables.add(added);
      if (refuses.test(added)) {
        throw new IllegalStateException("refused, as a test wants");
      }
    }

    @Override
    public void removeSSTable(SSTableReader removed) {
      sstables.remove(removed);
    }

    @Override
    protected Set<SSTableReader> getSSTables() {
      return sstables;
    }
  }
}
