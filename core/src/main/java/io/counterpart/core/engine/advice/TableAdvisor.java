package io.counterpart.core.engine.advice;

import io.counterpart.core.engine.advice.Advice.Action;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The rule that finds an engine for each table.
 *
 * <p>A table whose reads are cheaper in a B+tree by more than its writes are dearer goes there:
 * {@link EngineCosts} has the figures. A table that is nearly only written goes back to sstables,
 * and to decoupled compaction where that pays. All other tables stay.
 *
 * <p>Worked: 900 reads and 100 writes a second that are answered from memory cost 52.4 ms of nodes
 * a second on sstables and 38.7 ms in LMDB: 26 % less. With 300 reads and 700 writes the change
 * would cost a tenth of a percent more, so the table stays.
 *
 * <p>Paper: MyCassandra §6, future work: an engine by an application's ratio of reads and writes.
 */
public final class TableAdvisor {
  /** Below it a change saves less than a millisecond of nodes in each second. */
  static final double LEAST_PER_SECOND = 10;

  /** Share of scans from which their cost would decide, of which there are no figures. */
  static final double MOST_SCANS = 0.10;

  /** Sstables are compressed, entries in memory are not: twice their bytes are allowed for. */
  static final int UNCOMPRESSED = 2;

  /** Share of reads that memory must answer to be worth its heap: every other read. */
  static final double LEAST_HITS = 0.50;

  /** Tables that are smaller on a node are kept as one log, and gain little (README). */
  static final long DECOUPLED_LEAST_BYTES = 512L << 20;

  /** Decoupled compaction is measured at three copies, of which two are redundant (README). */
  static final int DECOUPLED_LEAST_COPIES = 3;

  private TableAdvisor() {}

  /**
   * Advice on each table, in the order of the tables. Of tables that would fit into the heap of the
   * engine {@code memory}, those with most reads get it.
   *
   * @param memoryBytes heap of the engine {@code memory} on a node, for all tables together; below
   *     0 if none is to go there
   */
  public static List<Advice> advise(List<TableFacts> tables, long memoryBytes) {
    long free = memoryBytes;
    for (TableFacts table : tables) {
      free -= table.storage() == Storage.MEMORY ? table.nodeBytes() : 0;
    }
    List<TableFacts> byReads = new ArrayList<>(tables);
    byReads.sort(Comparator.comparingDouble((TableFacts table) -> -table.load().reads()));
    Map<String, Advice> found = new HashMap<>();
    for (TableFacts table : byReads) {
      Advice advice = advise(table, free);
      found.put(table.name(), advice);
      free -= advice.action() == Action.MEMORY ? needed(table) : 0;
    }
    return tables.stream().map(table -> Objects.requireNonNull(found.get(table.name()))).toList();
  }

  private static long needed(TableFacts table) {
    return UNCOMPRESSED * table.nodeBytes();
  }

  private static Advice advise(TableFacts table, long freeBytes) {
    if (!table.tie().isEmpty()) {
      return leave(table, table.tie());
    }
    if (table.storage() == Storage.BY_NODE) {
      return leave(table, "its engine is not the same on all nodes: see the mix");
    }
    if (table.storage() == Storage.SERVER) {
      return leave(table, "it is on an engine of which there are no figures");
    }
    Load load = table.load();
    if (!table.isMeasured()) {
      return leave(
          table,
          "%d operations counted, fewer than %d"
              .formatted(load.operations(), TableFacts.LEAST_OPERATIONS));
    }
    if (load.scans() > MOST_SCANS * (load.perSecond() + load.scans())) {
      return leave(
          table,
          text(
              "%.1f range scans/s beside %.1f reads and writes: there are no figures of scans",
              load.scans(), load.perSecond()));
    }
    if (load.perSecond() < LEAST_PER_SECOND) {
      return leave(
          table, text("%.1f operations/s, fewer than %.0f", load.perSecond(), LEAST_PER_SECOND));
    }
    return table.storage().isTree() ? inTree(table) : onSstables(table, freeBytes);
  }

  private static Advice onSstables(TableFacts table, long freeBytes) {
    Load load = table.load();
    Limit limit = load.limit();
    double gain = EngineCosts.gainOfTree(limit, load);
    if (gain >= EngineCosts.LEAST_GAIN) {
      boolean fits = needed(table) <= freeBytes;
      return new Advice(
          table.name(),
          fits ? Action.MEMORY : Action.LMDB,
          shares(load)
              + ", %s: %s".formatted(time(load), EngineCosts.text(gain, limit))
              + (fits
                  ? text(
                      ", and %d MiB, twice its bytes, fit into the heap of memory",
                      needed(table) >> 20)
                  : ""));
    }
    if (EngineCosts.gainOfSstables(load) >= EngineCosts.LEAST_GAIN) {
      return writeHeavy(table);
    }
    return leave(
        table,
        shares(load)
            + ", %s: lmdb would take %s, and %s"
                .formatted(time(load), EngineCosts.text(gain, limit), EngineCosts.asked()));
  }

  private static Advice writeHeavy(TableFacts table) {
    String shares = shares(table.load());
    if (table.storage() == Storage.DECOUPLED) {
      return leave(table, shares + ": decoupled compaction is for such a table");
    }
    if (table.copies() < DECOUPLED_LEAST_COPIES) {
      return leave(
          table,
          shares
              + text(
                  ", but %d copies: decoupled compaction pays from %d on",
                  table.copies(), DECOUPLED_LEAST_COPIES));
    }
    if (table.compaction().startsWith("TimeWindow")) {
      return leave(table, shares + ", but its rows expire by time: decoupled gains little");
    }
    if (table.nodeBytes() < DECOUPLED_LEAST_BYTES) {
      return leave(
          table,
          shares
              + text(
                  ", but %d MiB a node: decoupled compaction pays from %d on",
                  table.nodeBytes() >> 20, DECOUPLED_LEAST_BYTES >> 20));
    }
    return new Advice(
        table.name(),
        Action.DECOUPLED,
        shares
            + text(
                ", %d copies, %d MiB a node: compaction wrote 0.14 times the bytes of LCS and 0.42"
                    + " times those of UCS",
                table.copies(), table.nodeBytes() >> 20));
  }

  private static Advice inTree(TableFacts table) {
    Load load = table.load();
    double gain = EngineCosts.gainOfSstables(load);
    if (gain >= EngineCosts.LEAST_GAIN) {
      return new Advice(
          table.name(),
          Action.LSM,
          shares(load)
              + ": %s, even if every read came from disk"
                  .formatted(EngineCosts.text(gain, Limit.DISK)));
    }
    if (table.storage() == Storage.MEMORY && table.hitRatio() < LEAST_HITS) {
      return new Advice(
          table.name(),
          Action.LMDB,
          text(
              "memory answers %.0f %% of its reads, less than %.0f %%: lmdb needs no heap",
              100 * table.hitRatio(), 100 * LEAST_HITS));
    }
    return leave(
        table,
        shares(load)
            + ": sstables would take %s at best, and %s"
                .formatted(EngineCosts.text(gain, Limit.DISK), EngineCosts.asked()));
  }

  private static String shares(Load load) {
    return text(
        "%.0f %% of %.0f operations/s on nodes are reads",
        100 * load.readShare(), load.perSecond());
  }

  private static String time(Load load) {
    return Double.isNaN(load.readMillis())
        ? "of unknown time"
        : text(
            "%.2f ms each, from %s",
            load.readMillis(), load.limit() == Limit.DISK ? "disk" : "memory");
  }

  private static Advice leave(TableFacts table, String reason) {
    return new Advice(table.name(), Action.LEAVE, reason);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
