package io.counterpart.cassandra.locator;

import io.counterpart.core.selection.SelectionRules;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.ConnectionType;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.PingRequest;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a snapshot every tenth of a second, and pings the nodes that it names: at most {@value
 * #PINGS_A_SNAPSHOT} a snapshot, none that gossip holds for dead or gone, and none once gossip has
 * stopped.
 */
final class SelectionClock implements Runnable {
  private static final Logger logger = LoggerFactory.getLogger(SelectionClock.class);
  private static final int PINGS_A_SNAPSHOT = 2;

  private final CoordinatorReads reads;

  SelectionClock(CoordinatorReads reads) {
    this.reads = reads;
  }

  /**
   * Runs something at each snapshot from now on.
   *
   * @param failed what to say where it fails
   */
  static void start(Runnable task, String failed) {
    long millis = SelectionRules.SNAPSHOT.toMillis();
    ScheduledExecutors.scheduledTasks.scheduleWithFixedDelay(
        () -> runUnlessItFails(task, failed), millis, millis, TimeUnit.MILLISECONDS);
  }

  private static void runUnlessItFails(Runnable task, String failed) {
    try {
      task.run();
    } catch (RuntimeException | AssertionError e) {
      // an exception would end the schedule, and the last snapshot would be used for ever
      NoSpamLogger.log(logger, NoSpamLogger.Level.WARN, 1, TimeUnit.MINUTES, failed, e);
    }
  }

  @Override
  public void run() {
    ExecutorPlus stage = Stage.READ.executor();
    reads.own(
        FBUtilities.getBroadcastAddressAndPort(),
        stage.getPendingTaskCount(),
        stage.getCompletedTaskCount());
    reads.snapshot(PINGS_A_SNAPSHOT).forEach(this::ping);
  }

  private void ping(InetAddressAndPort endpoint) {
    if (endpoint.equals(FBUtilities.getBroadcastAddressAndPort())) {
      reads.lives(endpoint);
      return;
    }
    // the failure detector would log an error for a node that has left the ring, whose state stays
    // alive; and a node ends only when it waits for no answer, which a dead one does not give
    if (Gossiper.instance.isEnabled() && Gossiper.instance.isAlive(endpoint)) {
      RequestCallback<Object> pong = answer -> reads.lives(endpoint);
      MessagingService.instance()
          .sendWithCallback(
              Message.out(Verb.PING_REQ, PingRequest.get(ConnectionType.SMALL_MESSAGES)),
              endpoint,
              pong);
    }
  }
}
