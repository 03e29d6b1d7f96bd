package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.sampling.SetKey;
import io.counterpart.cassandra.report.ConsistencyReports;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import io.counterpart.core.staleness.decide.ShadowReads;
import io.counterpart.core.staleness.estimate.SampledWrites;
import io.counterpart.core.staleness.estimate.SetEstimate;
import io.counterpart.core.staleness.estimate.StaleBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;

/** What operators see of this coordinator. Computed when they look. Thread-safe. */
final class NodeReports implements ConsistencyReports.Source {
  private static final double DELTA = 0.05;
  private static final long[] AFTER_MILLIS = {0, 1, 10, 100, 1_000};
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Coordinator coordinator;
  private final Failures failures;
  private final LongSupplier nanoClock;

  NodeReports(Coordinator coordinator, Failures failures, LongSupplier nanoClock) {
    this.coordinator = coordinator;
    this.failures = failures;
    this.nanoClock = nanoClock;
  }

  @Override
  public List<ConsistencyReports.Decisions> decisions() {
    Map<Policies.TableName, Map<String, Long>> counts = coordinator.tallies().counts().all();
    Set<Policies.TableName> tables = new TreeSet<>(counts.keySet());
    tables.addAll(coordinator.policies().all().keySet());
    List<ConsistencyReports.Decisions> rows = new ArrayList<>();
    for (Policies.TableName table : tables) {
      rows.add(
          new ConsistencyReports.Decisions(
              table.keyspace(),
              table.table(),
              policy(table),
              counts.getOrDefault(table, Map.of()),
              shadows(table),
              coordinator.tallies().repairs().of(table)));
    }
    return rows;
  }

  private ConsistencyReports.Policy policy(Policies.TableName table) {
    ConsistencyPolicy policy = coordinator.policies().of(table.keyspace(), table.table());
    return new ConsistencyReports.Policy(
        policy.mode().name().toLowerCase(Locale.ROOT),
        policy.epsilon(),
        policy.floor().map(Enum::name).orElse(""),
        policy.windowMillis(),
        policy.readRepairChance(),
        coordinator.policies().refused().getOrDefault(table, ""));
  }

  private ConsistencyReports.Shadows shadows(Policies.TableName table) {
    ShadowReads reads = coordinator.tallies().shadows().all().get(table);
    if (reads == null) {
      return new ConsistencyReports.Shadows(0, 0, 0, false);
    }
    ShadowReads.Counts counts = reads.counts();
    return new ConsistencyReports.Shadows(
        counts.done(), counts.stale(), counts.freezes(), reads.isFrozen(nanoClock.getAsLong()));
  }

  @Override
  public List<ConsistencyReports.Prediction> predictions() {
    List<ConsistencyReports.Prediction> rows = new ArrayList<>();
    coordinator
        .estimates()
        .all()
        .forEach(
            (key, estimate) -> {
              TableMetadata table = Schema.instance.getTableMetadata(key.table());
              if (table != null) {
                addPredictions(rows, table, key, estimate);
              }
            });
    return rows;
  }

  private void addPredictions(
      List<ConsistencyReports.Prediction> rows,
      TableMetadata table,
      SetKey key,
      SetEstimate estimate) {
    String replicas =
        key.replicas().stream()
            .map(InetAddressAndPort::getHostAddressAndPort)
            .collect(Collectors.joining(","));
    for (int w = 1; w <= key.replicas().size(); w++) {
      for (long after : AFTER_MILLIS) {
        SampledWrites.Prediction predicted =
            estimate.writes().predicted(w, after * NANOS_PER_MILLI, DELTA, nanoClock.getAsLong());
        for (int r = 1; r <= key.replicas().size(); r++) {
          rows.add(
              new ConsistencyReports.Prediction(
                  new ConsistencyReports.ReplicaSet(table.keyspace, table.name, replicas),
                  new ConsistencyReports.Case(r, w, after),
                  predicted.any().samples(),
                  stale(predicted.any().reads(r)),
                  stale(predicted.worst().reads(r))));
        }
      }
    }
  }

  private static ConsistencyReports.Stale stale(StaleBounds.Bound bound) {
    return new ConsistencyReports.Stale(bound.mean(), bound.low(), bound.high());
  }

  @Override
  public ConsistencyReports.Node node() {
    return new ConsistencyReports.Node(failures.count(), coordinator.estimates().leftOut());
  }
}
