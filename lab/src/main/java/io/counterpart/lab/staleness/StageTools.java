package io.counterpart.lab.staleness;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.run.RunRecord;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.staleness.client.Lane;
import io.counterpart.lab.staleness.client.WriteThenRead;
import java.util.List;

/**
 * The tools of a stage.
 *
 * @param nodes the running cluster
 * @param record the measurements so far
 * @param progress the display of the run's progress
 */
public record StageTools(FaultyNodes nodes, RunRecord record, Progress progress) {
  /** Reads back what was written, and says what is amiss. */
  void readBack(WriteThenRead client, List<Lane> lanes) throws InterruptedException {
    add(client.readBack(lanes));
  }

  /** Counts what was found, and says what is amiss. */
  void add(CheckOutcome outcome) {
    outcome.examples().forEach(progress::say);
    record.add(outcome);
  }
}
