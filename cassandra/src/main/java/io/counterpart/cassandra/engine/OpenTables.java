package io.counterpart.cassandra.engine;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.schema.TableId;
import org.jspecify.annotations.Nullable;

/**
 * The tables of this process that are open on engines. One that goes to another engine is open on
 * both for a while, and each then knows the stores of the other. Not thread-safe.
 */
final class OpenTables {

  private record Key(TableId table, EngineFactory.Identity engine) {}

  private final Map<Key, EngineTable> open = new HashMap<>();

  @Nullable EngineTable on(TableId table, EngineFactory.Identity engine) {
    return open.get(new Key(table, engine));
  }

  /** On all engines. */
  List<EngineTable> of(TableId table) {
    return open.entrySet().stream()
        .filter(entry -> entry.getKey().table().equals(table))
        .map(Map.Entry::getValue)
        .toList();
  }

  List<EngineTable> all() {
    return List.copyOf(open.values());
  }

  /** By the names of engines. */
  List<Map.Entry<String, EngineTable>> named() {
    return open.entrySet().stream()
        .map(entry -> Map.entry(entry.getKey().engine().engine(), entry.getValue()))
        .toList();
  }

  /** Folders that are in use. */
  Set<Path> folders() {
    return folders(open.values().stream());
  }

  /** Those of one table. */
  Set<Path> folders(TableId table) {
    return folders(of(table).stream());
  }

  private static Set<Path> folders(Stream<EngineTable> tables) {
    return tables.flatMap(each -> each.stores().directories().stream()).collect(Collectors.toSet());
  }

  void add(TableId table, EngineFactory.Identity engine, EngineTable opened) {
    open.put(new Key(table, engine), opened);
    link(table);
  }

  /**
   * Forgets a table that is about to be closed.
   *
   * @return whether it was there
   */
  boolean remove(EngineTable table) {
    boolean wasThere = open.values().remove(table);
    link(table.table().metadata.id);
    return wasThere;
  }

  private void link(TableId table) {
    List<EngineTable> places = of(table);
    for (EngineTable each : places) {
      each.overlapping()
          .setOthers(
              places.stream().filter(other -> other != each).map(EngineTable::stores).toList());
    }
  }

  /**
   * Whether nobody needs a table that has left its engine: what is still in its stores is in
   * sstables, and a compaction that does not know these has ended, or cannot see stores, since the
   * table is on no engine any more. A spill apart from flushes lets go of its stores first.
   */
  boolean isDone(EngineTable table) {
    return table.hasLeft()
        && !table.spills().isApart()
        && !(isOnAnother(table) && table.frozenStores().areAwaited());
  }

  private boolean isOnAnother(EngineTable table) {
    return of(table.table().metadata.id).stream()
        .anyMatch(each -> each != table && !each.hasLeft());
  }
}
