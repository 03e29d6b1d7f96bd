package io.counterpart.lab.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.staleness.StaleRateStage.Cell;
import io.counterpart.lab.staleness.StaleRateStage.Lateness;
import io.counterpart.lab.staleness.client.PairPace;
import io.counterpart.lab.staleness.client.UsedLevel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StaleRateStageTest {
  @ParameterizedTest
  @CsvSource({"3, 2, 3, 1", "5, 3, 8, 1", "7, 4, 15, 1"})
  void cells_can_be_stale_but_for_one_control(int n, int mostWrites, int stale, int controls) {
    StaleRateStage stage = stage(n, List.of(10));
    int canBeStale = 0;
    int cannot = 0;
    for (int writes = 1; writes <= mostWrites; writes++) {
      for (Cell cell : stage.cells(writes)) {
        canBeStale += cell.reads() + writes <= n ? 1 : 0;
        cannot += cell.reads() + writes > n ? 1 : 0;
      }
    }

    assertThat(canBeStale).isEqualTo(stale);
    assertThat(cannot).isEqualTo(controls);
    assertThat(stage.blocks()).isEqualTo(mostWrites + stale + controls);
  }

  @Test
  void each_gap_has_all_cells() {
    assertThat(stage(3, List.of(10, 100)).cells(2))
        .containsExactly(new Cell(1, 10), new Cell(2, 10), new Cell(1, 100), new Cell(2, 100));
  }

  @Test
  void more_writes_than_the_estimate_of_the_worst_replicas_takes_are_refused() {
    assertThatThrownBy(
            () ->
                new StaleRateStage(
                    StaleTable.STOCK,
                    3,
                    new Lateness(200, List.of(10)),
                    9_001,
                    new PairPace(350, 512)))
        .hasMessage("3 replicas, 9001 pairs, legal: 3 to 7, 1 to 9000");
  }

  @ParameterizedTest
  @CsvSource({"1, 7, ONE", "2, 3, TWO", "3, 7, THREE", "3, 5, THREE", "4, 7, QUORUM"})
  void a_number_of_replicas_has_a_level(int wanted, int all, DefaultConsistencyLevel level) {
    assertThat(UsedLevel.waitingFor(wanted, all)).isEqualTo(level);
  }

  @Test
  void five_of_seven_replicas_have_none() {
    assertThatThrownBy(() -> UsedLevel.waitingFor(5, 7))
        .hasMessage("5 of 7 replicas, legal: 1 to 3, or more than half");
  }

  private static StaleRateStage stage(int replicas, List<Integer> gaps) {
    return new StaleRateStage(
        StaleTable.STOCK, replicas, new Lateness(200, gaps), 100, new PairPace(350, 512));
  }
}
