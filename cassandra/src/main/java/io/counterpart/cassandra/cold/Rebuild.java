package io.counterpart.cassandra.cold;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.Pair;
import org.apache.cassandra.utils.concurrent.Future;
import org.apache.cassandra.utils.progress.ProgressEvent;
import org.apache.cassandra.utils.progress.ProgressListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A full repair of one table's ranges on this node. It reads the copies of all other replicas: an
 * acknowledged write is on one of them, if more than one node was waited for. Where others are cold
 * too, and had it alone, it is lost.
 */
final class Rebuild implements ProgressListener {
  private static final Logger logger = LoggerFactory.getLogger(Rebuild.class);
  private static final LoneNode HERE = LoneNode.here();

  /** In Cassandra's error where ranges have no other replica. */
  private static final String NO_REPLICA = "Nothing to repair";

  private final CountDownLatch complete = new CountDownLatch(1);
  private volatile boolean succeeded;
  private volatile String failure = "the repair ended without a word";

  private Rebuild() {}

  /**
   * Returns when it is done.
   *
   * @throws IllegalStateException if it failed, as when a replica is down
   */
  static void run(TableMetadataRef table) {
    Map<String, String> options =
        Map.of(
            "incremental", "false",
            "primaryRange", "false",
            "parallelism", "parallel",
            "columnFamilies", table.name);
    List<InetAddressAndPort> cold =
        Gossiper.instance.getLiveMembers().stream()
            .filter(node -> !node.equals(FBUtilities.getBroadcastAddressAndPort()))
            .filter(ColdNode::isCold)
            .toList();
    if (!cold.isEmpty()) {
      logger.warn("{} are cold too: what these and this node alone had of {} is lost", cold, table);
    }
    if (HERE.isCertain()) {
      warnOfLoss(table);
      return;
    }
    Rebuild rebuild = new Rebuild();
    Pair<Integer, Future<?>> repair =
        StorageService.instance.repair(table.keyspace, options, List.of(rebuild));
    if (repair.left == 0) {
      warnOfLoss(table);
      return;
    }
    rebuild.await(repair.right);
  }

  private static void warnOfLoss(TableMetadataRef table) {
    logger.warn("{} has no copies on other nodes: what was in memory alone is lost", table);
  }

  private void await(Future<?> task) {
    // the task ends before the repair does, unless it fails
    while (!Uninterruptibles.awaitUninterruptibly(complete, 1, TimeUnit.SECONDS)) {
      @Nullable Throwable cause = task.isDone() ? task.cause() : null;
      if (cause != null) {
        throw new IllegalStateException(
            withRemedy("the repair failed: " + cause.getMessage()), cause);
      }
    }
    if (!succeeded) {
      throw new IllegalStateException(withRemedy(failure));
    }
  }

  private static String withRemedy(String failed) {
    return failed.contains(NO_REPLICA)
        ? failed
            + ". No other node is known to have copies: where none has, ALTER the keyspace to one"
            + " copy; a cluster's only node goes on by itself after a while"
        : failed;
  }

  @Override
  public void progress(String tag, ProgressEvent event) {
    switch (event.getType()) {
      case SUCCESS -> succeeded = true;
      case ERROR, ABORT -> failure = event.getMessage();
      case COMPLETE -> complete.countDown();
      default -> logger.debug("{}: {}", tag, event.getMessage());
    }
  }
}
