package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.compaction.OfflineTable.Rows;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flushes after a column was dropped that was all there was in some partitions. */
class DroppedColumnTest {
  @ParameterizedTest(name = "split={0}")
  @ValueSource(strings = {"background", "flush"})
  void copies_of_which_nothing_is_left_get_no_file(String split) throws IOException {
    Map<String, String> options = Map.of("min_run_size", "0B", "split", split);
    try (OfflineTable table = OfflineTable.create(options)) {
      List<SSTableReader> written =
          table.write(Rows.of(200, 10), token -> OfflineTable.replicaIndex(token) > 0);

      assertThat(written).hasSize(1);
      assertThat(OfflineTable.replicaIndex(written.get(0).getFirst().getToken())).isZero();
    }
  }
}
