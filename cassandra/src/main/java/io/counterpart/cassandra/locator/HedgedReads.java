package io.counterpart.cassandra.locator;

import io.counterpart.core.selection.HedgeBudget;
import io.counterpart.core.selection.SelectionRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.reads.SpeculativeRetryPolicy;

/**
 * Hedged reads, an option: Cassandra asks a second replica itself once a read has waited for the
 * time that it keeps for the table. This sets that time: the 95th percentile of the round trips of
 * a middling endpoint, by which the reads of slow endpoints are late and those of others are not;
 * or longer than any read takes, while more hedges would exceed their share ({@link HedgeBudget}).
 *
 * <p>For tables whose {@code speculative_retry} is a percentile, as it is by default. Cassandra
 * renews its own time every {@code read_request_timeout}; that holds until the next look. For one
 * thread.
 */
final class HedgedReads implements Runnable {
  /** Longer than any time-out: Cassandra then does not hedge. */
  static final long NEVER_MICROS = TimeUnit.HOURS.toMicros(1);

  private static final int LOOKS_A_SECOND =
      (int) Duration.ofSeconds(1).dividedBy(SelectionRules.SNAPSHOT);

  private final double share;
  private final Supplier<OptionalLong> usualMicros;
  private final Supplier<Collection<Table>> tables;
  private final Map<TableId, HedgeBudget> budgets = new HashMap<>();
  private OptionalLong usual = OptionalLong.empty();
  private int looks;

  /** A table that may be hedged. */
  interface Table {
    TableId id();

    /** Reads that this node has coordinated. */
    long reads();

    /** Those of them that asked a second replica. */
    long hedges();

    /** How long reads wait before they ask it; never where it is above their time-out. */
    void waitMicros(long micros);
  }

  /**
   * Looks begin with {@link #run}.
   *
   * @param usualMicros after which a read is late; empty if unknown
   */
  HedgedReads(
      double share, Supplier<OptionalLong> usualMicros, Supplier<Collection<Table>> tables) {
    this.share = share;
    this.usualMicros = usualMicros;
    this.tables = tables;
  }

  /** Of this process. */
  static HedgedReads here(double share, CoordinatorReads reads) {
    return new HedgedReads(share, reads::usualMicros, HedgedReads::percentileTables);
  }

  private static Collection<Table> percentileTables() {
    List<Table> found = new ArrayList<>();
    // opens none: one that is being dropped would be waited for
    for (Keyspace keyspace : Keyspace.allExisting().toList()) {
      if (SchemaConstants.isLocalSystemKeyspace(keyspace.getName())) {
        continue;
      }
      for (ColumnFamilyStore store : keyspace.getColumnFamilyStores()) {
        if (store.metadata().params.speculativeRetry.kind()
            == SpeculativeRetryPolicy.Kind.PERCENTILE) {
          found.add(new Store(store));
        }
      }
    }
    return found;
  }

  private record Store(ColumnFamilyStore store) implements Table {
    @Override
    public TableId id() {
      return store.metadata.id;
    }

    @Override
    public long reads() {
      return store.metric.coordinatorReadLatency.getCount();
    }

    @Override
    public long hedges() {
      return store.metric.speculativeRetries.getCount();
    }

    @Override
    public void waitMicros(long micros) {
      store.sampleReadLatencyMicros = micros;
    }
  }

  /** A look, every {@link SelectionRules#SNAPSHOT}. */
  @Override
  public void run() {
    if (looks++ % LOOKS_A_SECOND == 0) {
      usual = usualMicros.get();
    }
    Set<TableId> seen = new HashSet<>();
    for (Table table : tables.get()) {
      seen.add(table.id());
      boolean allowed =
          budgets
              .computeIfAbsent(table.id(), unused -> new HedgeBudget(share))
              .allows(table.reads(), table.hedges(), usual.orElse(0));
      // without one no read of a point ended in half a minute
      usual.ifPresent(micros -> table.waitMicros(allowed ? micros : NEVER_MICROS));
    }
    budgets.keySet().retainAll(seen);
  }

  /** The middle one of some endpoints' 95th percentiles, the higher of two; 0 says nothing. */
  static OptionalLong middleMicros(double[] percentiles) {
    long[] known =
        Arrays.stream(percentiles)
            .mapToLong(Math::round)
            .filter(micros -> micros > 0)
            .sorted()
            .toArray();
    return known.length == 0 ? OptionalLong.empty() : OptionalLong.of(known[known.length / 2]);
  }
}
