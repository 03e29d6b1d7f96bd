package io.counterpart.recovery;

import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.core.recovery.KeyspaceDecision;
import io.counterpart.core.recovery.KeyspaceSituation;
import io.counterpart.core.recovery.RecoveryMode;
import io.counterpart.core.recovery.RecoveryPolicy;
import io.counterpart.core.recovery.RecoveryWay;
import io.counterpart.core.recovery.ReplicatedRange;
import io.counterpart.core.recovery.TokenRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Restores the data that a running node misses, then compares all replicas of its ranges by Merkle
 * trees. To be used once: {@link #plan} as often as wanted, then {@link #run}. {@link #cancel} is
 * for other threads.
 *
 * <p>Paper: DEPART §4.5. Deviates: an empty node is rebuilt without Merkle trees.
 */
public final class Recovery {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Cassandra's own replicated keyspaces; a user's may begin so too. */
  private static final Set<String> SYSTEM =
      Set.of("system_auth", "system_distributed", "system_traces");

  private static final String IN_SYNC = "in sync";

  /** A write that one replica had when its tree was built and another had not is no loss. */
  private static final int COMPARISONS = 2;

  private final StorageCalls calls;
  private final RecoverySettings settings;
  private final RepairCommands repairs;
  private final Cancellation cancellation = new Cancellation();
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * @param jmx to the node, open as long as this is used
   */
  public Recovery(NodeJmx jmx, RecoverySettings settings) {
    this.calls = new StorageCalls(jmx);
    this.settings = settings;
    this.repairs = new RepairCommands(calls);
  }

  /**
   * What {@link #run} would do now; touches nothing.
   *
   * @throws RecoveryRefusedException if the node does not serve, a keyspace is unknown or cannot be
   *     restored, or there is nothing to recover
   */
  public RecoveryPlan plan() {
    calls.requireServing();
    String hostId = calls.hostId();
    return plan(hostId, RecoveryState.read(settings.stateFile(), hostId));
  }

  private RecoveryPlan plan(String hostId, RecoveryState state) {
    String node = calls.endpoint();
    List<KeyspaceDecision.Restore> restores = new ArrayList<>();
    List<KeyspaceDecision.Skip> skips = new ArrayList<>();
    for (String keyspace : keyspaces()) {
      KeyspaceDecision decision =
          settings.policy().decide(calls.situation(keyspace, node), state.of(keyspace));
      if (decision instanceof KeyspaceDecision.Restore restore) {
        restores.add(restore);
      } else if (decision instanceof KeyspaceDecision.Skip skip && settings.keyspaces().isEmpty()) {
        skips.add(skip);
      } else {
        throw new RecoveryRefusedException("keyspace " + keyspace + ": " + decision.reason());
      }
    }
    if (restores.isEmpty()) {
      throw new RecoveryRefusedException("there is nothing to recover: " + reasons(skips));
    }
    return new RecoveryPlan(node, hostId, restores, skips);
  }

  private List<String> keyspaces() {
    List<String> known = calls.keyspaces();
    if (settings.keyspaces().isEmpty()) {
      return ofUsers(known);
    }
    for (String asked : settings.keyspaces()) {
      if (!known.contains(asked)) {
        throw new RecoveryRefusedException(
            "unknown keyspace " + asked + "; replicated keyspaces are " + known);
      }
    }
    return settings.keyspaces();
  }

  static List<String> ofUsers(List<String> keyspaces) {
    return keyspaces.stream().filter(name -> !SYSTEM.contains(name)).toList();
  }

  private static String reasons(List<KeyspaceDecision.Skip> skips) {
    if (skips.isEmpty()) {
      return "no keyspace was made by a user";
    }
    return String.join(
        "; ", skips.stream().map(skip -> skip.keyspace() + ": " + skip.reason()).toList());
  }

  /**
   * Restores and verifies.
   *
   * @throws RecoveryRefusedException as {@link #plan}, or if another run is at work
   * @throws RecoveryFailedException if Cassandra gives up on a step
   * @throws CancellationException after {@link #cancel}
   */
  public RecoveryResult run(RecoveryListener listener) throws InterruptedException {
    ExecutorService caller =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "recovery-rebuild");
              thread.setDaemon(true);
              return thread;
            });
    try (FileChannel lock = RecoveryState.lock(settings.stateFile())) {
      calls.requireServing();
      String hostId = calls.hostId();
      RecoveryState state = RecoveryState.read(settings.stateFile(), hostId);
      RecoveryPlan plan = plan(hostId, state);
      // or a run that fails before its first step ends would leave ranges of an earlier one, which
      // the node may have lost since, for the next run to go on from
      state.forget(
          plan.restores().stream()
              .filter(restore -> restore.resumed() == 0)
              .map(KeyspaceDecision::keyspace)
              .toList());
      ProgressBoard board = new ProgressBoard(listener, plan.ringFraction(), calls.receivedBytes());
      RecoveryResult result =
          run(
              plan,
              new KeyspaceRestorer(calls, repairs, state, board, cancellation, caller),
              listener);
      state.forget(plan.restores().stream().map(KeyspaceDecision::keyspace).toList());
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unlock " + settings.stateFile(), e);
    } catch (RecoveryRefusedException refused) {
      throw refused; // nothing was started
    } catch (RuntimeException broken) {
      stopOurs(listener, broken);
      throw broken;
    } finally {
      caller.shutdownNow();
      ended.countDown();
    }
  }

  private RecoveryResult run(
      RecoveryPlan plan, KeyspaceRestorer restorer, RecoveryListener listener)
      throws InterruptedException {
    List<RecoveryResult.RestoredKeyspace> restored = new ArrayList<>();
    for (KeyspaceDecision.Restore decision : plan.restores()) {
      RecoveryResult.RestoredKeyspace keyspace = restore(decision, restorer, listener);
      restored.add(keyspace);
      if (settings.policy().mode() == RecoveryMode.AUTO
          && decision.way() == RecoveryWay.REBUILD
          && keyspace.verdict() == Verdict.DIFFERENT) {
        // one replica gave each range, and it did not have all that the others have
        listener.say(decision.keyspace() + ": replicas differ after the rebuild; repairing");
        restored.add(restore(repairOf(decision, plan.node()), restorer, listener));
        restored.remove(keyspace);
      }
    }
    return new RecoveryResult(plan.node(), plan.hostId(), restored, plan.skips());
  }

  private KeyspaceDecision.Restore repairOf(KeyspaceDecision.Restore rebuilt, String node) {
    KeyspaceSituation now = calls.situation(rebuilt.keyspace(), node);
    KeyspaceDecision decision =
        new RecoveryPolicy(RecoveryMode.REPAIR, settings.policy().steps())
            .decide(now, Optional.empty());
    if (decision instanceof KeyspaceDecision.Restore repair) {
      return repair;
    }
    throw new RecoveryFailedException(
        "keyspace " + rebuilt.keyspace() + " differs after its rebuild: " + decision.reason());
  }

  private RecoveryResult.RestoredKeyspace restore(
      KeyspaceDecision.Restore decision, KeyspaceRestorer restorer, RecoveryListener listener)
      throws InterruptedException {
    listener.say(decision.keyspace() + ": " + decision.way() + ", " + decision.reason());
    KeyspaceRestorer.Took took = restorer.restore(decision);
    listener.restored(decision.keyspace());
    listener.say(decision.keyspace() + ": comparing all replicas by Merkle trees");
    long start = System.nanoTime();
    Verification verification = verify(decision, restorer);
    double merkle =
        decision.way() == RecoveryWay.REPAIR ? seconds(took.nanos() - took.streamingNanos()) : 0;
    return new RecoveryResult.RestoredKeyspace(
        decision.keyspace(),
        decision.way(),
        decision.reason(),
        decision.steps().stream().mapToInt(step -> step.primary().size()).sum(),
        decision.steps().stream().mapToInt(step -> step.redundant().size()).sum(),
        decision.resumed(),
        seconds(took.nanos()),
        merkle,
        seconds(took.streamingNanos()),
        took.receivedBytes(),
        verification.verdict(),
        seconds(System.nanoTime() - start),
        verification.detail());
  }

  private record Verification(Verdict verdict, String detail) {}

  private Verification verify(KeyspaceDecision.Restore decision, KeyspaceRestorer restorer)
      throws InterruptedException {
    KeyspaceSituation now = calls.situation(decision.keyspace(), decision.ranges().node());
    Set<String> down = new TreeSet<>(now.ranges().others());
    down.retainAll(now.unreachable());
    if (!down.isEmpty()) {
      return new Verification(Verdict.UNVERIFIED, down + " do not answer");
    }
    List<TokenRange> ranges = now.ranges().all().stream().map(ReplicatedRange::range).toList();
    Verification verification = new Verification(Verdict.UNVERIFIED, "");
    for (int i = 0; i < COMPARISONS && verification.verdict() != Verdict.IN_SYNC; i++) {
      RepairCommands.Outcome outcome = restorer.await(repairs.preview(decision.keyspace(), ranges));
      verification = new Verification(verdict(outcome), outcome.message());
    }
    return verification;
  }

  private static Verdict verdict(RepairCommands.Outcome outcome) {
    if (outcome.failed()) {
      return Verdict.UNVERIFIED;
    }
    return outcome.message().contains(IN_SYNC) ? Verdict.IN_SYNC : Verdict.DIFFERENT;
  }

  private void stopOurs(RecoveryListener listener, RuntimeException why) {
    try {
      String stopped = repairs.stop();
      if (!stopped.isEmpty()) {
        listener.say(stopped);
      }
      if (calls.streams().rebuilds() > 0) {
        listener.say("the rebuild step under way goes on in the node: Cassandra cannot stop it");
      }
    } catch (RuntimeException unreachable) {
      why.addSuppressed(unreachable);
    }
  }

  /**
   * Makes {@link #run} stop soon: repairs that it started are ended; a rebuild step ends in the
   * node by itself. What was restored is remembered.
   */
  public void cancel() {
    cancellation.wish();
  }

  /**
   * Waits for {@link #run} to end.
   *
   * @return whether it did
   */
  public boolean awaitEnd(long millis) throws InterruptedException {
    return ended.await(millis, TimeUnit.MILLISECONDS);
  }

  private static double seconds(long nanos) {
    return nanos / NANOS_PER_SECOND;
  }
}
