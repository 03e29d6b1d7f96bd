package io.counterpart.cassandra.locator;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.LatencySubscribers;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches Cassandra's messages and times its reads. Reads of other nodes pass the messaging sinks,
 * requests on the way out and answers on the way in, and get nanoseconds of our own clock.
 * Cassandra measures them too, but by a clock that moves every 2 ms. The coordinator's own reads
 * pass no sink; Cassandra's report of their latency, by its precise clock, is taken instead.
 *
 * <p>Lets every message pass, also where it fails itself: a client's read must not depend on it.
 * Thread-safe.
 */
final class ReadMessages implements LatencySubscribers.Subscriber {
  private static final Logger logger = LoggerFactory.getLogger(ReadMessages.class);

  private final CoordinatorReads reads;
  private final Supplier<InetAddressAndPort> self;

  ReadMessages(CoordinatorReads reads, Supplier<InetAddressAndPort> self) {
    this.reads = reads;
    this.self = self;
  }

  /** Watches the messages of this process from now on. */
  static void watch(CoordinatorReads reads) {
    ReadMessages messages = new ReadMessages(reads, FBUtilities::getBroadcastAddressAndPort);
    MessagingService.instance().outboundSink.add(messages::leaves);
    MessagingService.instance().inboundSink.add(messages::arrives);
    MessagingService.instance().latencySubscribers.subscribe(messages);
  }

  /** Always true: the message may leave. */
  boolean leaves(Message<?> message, InetAddressAndPort to) {
    ReadKind kind = ReadKind.ofRequest(message.verb());
    if (kind != null) {
      safely(() -> reads.sent(kind, message.id(), to, message.verb().expiresAfterNanos()));
    }
    return true;
  }

  /** Always true: the message may arrive. */
  boolean arrives(Message<?> message) {
    Verb verb = message.verb();
    boolean failure = verb == Verb.FAILURE_RSP;
    if (failure || verb == Verb.READ_RSP || verb == Verb.RANGE_RSP) {
      safely(() -> reads.answered(message.id(), message.from(), failure));
    }
    return true;
  }

  @Override
  public void receiveTiming(InetAddressAndPort endpoint, long latency, TimeUnit unit) {
    safely(
        () -> {
          if (endpoint.equals(self.get())) {
            reads.readLocally(ExecutorLocals.current(), endpoint, unit.toNanos(latency));
          }
        });
  }

  private static void safely(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      NoSpamLogger.log(
          logger,
          NoSpamLogger.Level.WARN,
          1,
          TimeUnit.MINUTES,
          "A read was not timed; it goes on without it",
          e);
    }
  }
}
