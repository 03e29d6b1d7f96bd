package io.counterpart.cassandra.compaction;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.junit.jupiter.api.Test;

/** Wake-ups of Cassandra's compaction. */
class LiveSSTablesTest {
  @Test
  void wakes_nobody_before_cassandra_has_looked_for_work_itself() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of())) {
      table.cfs.getCompactionStrategyManager().enable();
      LiveSSTables sstables = new LiveSSTables(table.cfs);
      long before = CompactionManager.instance.getCompletedTasks();

      sstables.wake();
      await()
          .during(Duration.ofMillis(500))
          .atMost(Duration.ofSeconds(10))
          .until(() -> CompactionManager.instance.getCompletedTasks() == before);

      sstables.asked();
      sstables.wake();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> CompactionManager.instance.getCompletedTasks() > before);
    }
  }
}
