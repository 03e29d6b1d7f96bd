package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.sampling.WriteSampler;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;

/** What is due every second: bounds anew, timings anew, dropped tables forgotten. One thread. */
final class Upkeep {
  private final Coordinator coordinator;
  private final WriteSampler sampler;

  Upkeep(Coordinator coordinator, WriteSampler sampler) {
    this.coordinator = coordinator;
    this.sampler = sampler;
  }

  void run() {
    sampler.forgetOld();
    coordinator.replicaSets().forget();
    coordinator.tallies().decisions().forget();
    coordinator.estimates().evaluate(Upkeep::exists, this::window);
    coordinator.tallies().counts().forgetUnless(Upkeep::exists);
    coordinator.tallies().shadows().forgetUnless(Upkeep::exists);
    coordinator.tallies().repairs().forgetUnless(Upkeep::exists);
    observe(coordinator.nanoClock().getAsLong());
    coordinator.tallies().usualTimes().refresh();
  }

  /** Which nodes are there: for this coordinator also one that owes acknowledgements is not. */
  private void observe(long now) {
    Set<InetAddressAndPort> suspects = coordinator.estimates().suspects();
    for (InetAddressAndPort node : StorageService.instance.getTokenMetadata().getAllMembers()) {
      boolean there = FailureDetector.instance.isAlive(node) && !suspects.contains(node);
      coordinator.absences().observe(node, there, now);
    }
  }

  private static boolean exists(Policies.TableName table) {
    return Schema.instance.getTableMetadata(table.keyspace(), table.table()) != null;
  }

  private static boolean exists(TableId table) {
    return Schema.instance.getTableMetadata(table) != null;
  }

  private OptionalLong window(TableId id) {
    TableMetadata table = Schema.instance.getTableMetadata(id);
    return table == null
        ? OptionalLong.empty()
        : coordinator.policies().of(table.keyspace, table.name).windowMillis();
  }
}
