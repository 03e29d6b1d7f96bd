package io.counterpart.cassandra.consistency;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cassandra.handler.ForwardingHandler;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.net.IVerbHandler;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * Another custom handler, for tests on real clusters: makes its node apply writes late, drop
 * messages, see another node leave or step its clock, as the payload of a request says. {@code
 * test_delay_ms} delays inbound mutations, {@code test_drop} is {@code reads}, {@code all} or
 * {@code none}, {@code test_leaving} and {@code test_staying} name a node's address, {@code
 * test_clock_ms} is the distance from the true time.
 */
public final class DelayingHandler extends ForwardingHandler {
  private static final Set<Verb> READS = EnumSet.of(Verb.READ_REQ);
  private static final Set<Verb> ALL =
      EnumSet.of(Verb.READ_REQ, Verb.READ_RSP, Verb.MUTATION_REQ, Verb.MUTATION_RSP);

  private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
  private volatile long delayMillis;
  private volatile Set<Verb> dropped = Set.of();
  private boolean listening;

  private void obey(Map<String, ByteBuffer> payload) {
    String delay = text(payload, "test_delay_ms");
    String drop = text(payload, "test_drop");
    if (!delay.isEmpty() || !drop.isEmpty()) {
      listen();
    }
    if (!delay.isEmpty()) {
      delayMillis = Long.parseLong(delay);
    }
    String clock = text(payload, "test_clock_ms");
    if (!clock.isEmpty()) {
      SteppedClock.step(Long.parseLong(clock));
    }
    obeyAboutRing(payload);
    if (!drop.isEmpty()) {
      dropped = drop.equals("reads") ? READS : drop.equals("all") ? ALL : Set.of();
    }
  }

  private static void obeyAboutRing(Map<String, ByteBuffer> payload) {
    TokenMetadata ring = StorageService.instance.getTokenMetadata();
    find(ring, text(payload, "test_leaving")).ifPresent(ring::addLeavingEndpoint);
    // a node with tokens anew is no longer leaving
    find(ring, text(payload, "test_staying"))
        .ifPresent(node -> ring.updateNormalTokens(ring.getTokens(node), node));
    if (payload != null
        && (payload.containsKey("test_leaving") || payload.containsKey("test_staying"))) {
      for (String keyspace : Schema.instance.distributedKeyspaces().names()) {
        ring.calculatePendingRanges(Keyspace.open(keyspace).getReplicationStrategy(), keyspace);
      }
    }
  }

  private static Optional<InetAddressAndPort> find(TokenMetadata ring, String address) {
    return ring.getAllEndpoints().stream()
        .filter(node -> node.getHostAddress(false).equals(address))
        .findFirst();
  }

  private static String text(Map<String, ByteBuffer> payload, String key) {
    ByteBuffer value = payload == null ? null : payload.get(key);
    return value == null ? "" : UTF_8.decode(value.duplicate()).toString();
  }

  private synchronized void listen() {
    if (!listening) {
      listening = true;
      MessagingService.instance().inboundSink.add(this::accepts);
    }
  }

  private boolean accepts(Message<?> message) {
    if (dropped.contains(message.verb())) {
      return false;
    }
    if (message.verb() != Verb.MUTATION_REQ || delayMillis == 0) {
      return true;
    }
    later.schedule(() -> apply(message), delayMillis, TimeUnit.MILLISECONDS);
    return false;
  }

  @SuppressWarnings("unchecked")
  private static <T> void apply(Message<T> message) {
    try {
      ((IVerbHandler<T>) message.verb().handler()).doVerb(message);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected QueryHandler next() {
    return QueryProcessor.instance;
  }

  @Override
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    obey(payload);
    return super.process(statement, state, options, payload, time);
  }
}
