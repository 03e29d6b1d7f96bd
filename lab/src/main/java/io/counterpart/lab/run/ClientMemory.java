package io.counterpart.lab.run;

import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.setup.RunRefusedException;
import io.counterpart.lab.workload.VersionLedger;

/**
 * Checks that the client's heap can hold the newest version of every row, which the final check
 * needs.
 */
public final class ClientMemory {
  private static final long MIB = 1 << 20;
  // driver, operations under way, histograms
  private static final long REST_BYTES = 300 * MIB;

  private ClientMemory() {}

  /**
   * @param heapBytes most that this process may use
   * @throws RunRefusedException if the ledgers of the stage's tables do not fit
   */
  public static void require(Stage stage, long heapBytes) {
    long ledgers = (long) stage.tables().size() * stage.capacity() * VersionLedger.BYTES_PER_KEY;
    long needed = ledgers + REST_BYTES;
    if (ledgers > REST_BYTES && needed > heapBytes) {
      throw new RunRefusedException(
          ("client memory: %d MiB of heap, needed: %d MiB to remember what was written to %d tables"
                  + " of up to %d rows; set COUNTERPART_HEAP=%dg in the environment")
              .formatted(
                  heapBytes / MIB,
                  needed / MIB,
                  stage.tables().size(),
                  stage.capacity(),
                  needed / (1024 * MIB) + 1));
    }
  }
}
