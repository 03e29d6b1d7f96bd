package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.compaction.OfflineTable.Rows;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.junit.jupiter.api.Test;

/** Work that runs outside of the lock that flushes wait for. */
class StrategyLockTest {
  @Test
  void a_changed_ring_is_computed_without_the_lock_when_sstables_are_added() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of())) {
      List<SSTableReader> added = table.write(Rows.of(10, 10));
      Set<Boolean> locked = Collections.synchronizedSet(new HashSet<>());
      DatabaseDescriptor.setEndpointSnitch(
          new SimpleSnitch() {
            @Override
            public String getDatacenter(InetAddressAndPort endpoint) {
              locked.add(Thread.holdsLock(table.strategy()));
              return super.getDatacenter(endpoint);
            }
          });
      OfflineTable.useRing(true);

      table.strategy().addSSTables(added);

      assertThat(locked).containsExactly(false);
    }
  }
}
