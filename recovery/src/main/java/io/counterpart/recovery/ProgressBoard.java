package io.counterpart.recovery;

import io.counterpart.core.recovery.CopyRole;
import io.counterpart.core.recovery.KeyspaceDecision;
import io.counterpart.core.recovery.RecoveryStep;
import io.counterpart.core.recovery.RemainingTime;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts a run's restored ranges and informs the listener.
 *
 * <p>Ranges are counted when Cassandra says that they are done. Within a step the streams' own
 * announced bytes refine the estimate alone: a sender announces a table at a time, so that bytes
 * would overstate how far a role is.
 */
final class ProgressBoard {
  private final RecoveryListener listener;
  private final long bytesBefore;
  private final long startNanos = System.nanoTime();
  private final Map<CopyRole, Integer> total = new EnumMap<>(CopyRole.class);
  private final Map<CopyRole, Integer> done = new EnumMap<>(CopyRole.class);
  private final double ringTotal;
  private double ringDone;
  private String keyspace = "";

  ProgressBoard(RecoveryListener listener, double ringTotal, long bytesBefore) {
    this.listener = listener;
    this.ringTotal = ringTotal;
    this.bytesBefore = bytesBefore;
  }

  void begin(KeyspaceDecision.Restore decision) {
    keyspace = decision.keyspace();
    total.put(CopyRole.PRIMARY, decision.ranges().primary().size());
    total.put(CopyRole.REDUNDANT, decision.ranges().redundant().size());
    for (CopyRole role : CopyRole.values()) {
      int left = decision.steps().stream().mapToInt(step -> step.ranges(role).size()).sum();
      done.put(role, count(total, role) - left);
    }
  }

  void restored(CopyRole role, RecoveryStep step) {
    done.merge(role, step.ranges(role).size(), Integer::sum);
  }

  void finished(RecoveryStep step) {
    ringDone += step.ringFraction();
  }

  /**
   * @param ringUnderWay part of the ring that the current step has restored
   */
  void show(double ringUnderWay, long bytesNow) {
    listener.progress(
        new RecoveryProgress(
            keyspace,
            count(done, CopyRole.PRIMARY),
            count(total, CopyRole.PRIMARY),
            count(done, CopyRole.REDUNDANT),
            count(total, CopyRole.REDUNDANT),
            bytesNow - bytesBefore,
            RemainingTime.estimate(
                ringDone + ringUnderWay,
                ringTotal,
                Duration.ofNanos(System.nanoTime() - startNanos))));
  }

  void say(String line) {
    listener.say(line);
  }

  private static int count(Map<CopyRole, Integer> counts, CopyRole role) {
    return counts.getOrDefault(role, 0);
  }
}
