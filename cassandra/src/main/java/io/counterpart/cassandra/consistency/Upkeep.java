package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.sampling.WriteSampler;
import java.util.OptionalLong;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

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
    coordinator.tallies().usualTimes().refresh();
    coordinator.estimates().evaluate(Upkeep::exists, this::window);
    coordinator.tallies().counts().all().keySet().stream()
        .filter(table -> Schema.instance.getTableMetadata(table.keyspace(), table.table()) == null)
        .forEach(
            table -> {
              coordinator.tallies().counts().forget(table);
              coordinator.tallies().shadows().forget(table);
            });
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
