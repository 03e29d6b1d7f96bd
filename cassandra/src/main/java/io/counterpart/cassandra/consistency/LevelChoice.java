package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.sampling.EstimatedReplicas;
import io.counterpart.cassandra.consistency.sampling.ReplicaSet;
import io.counterpart.cassandra.consistency.sampling.ReplicaSets;
import io.counterpart.cassandra.consistency.sampling.SetKey;
import io.counterpart.core.staleness.decide.AdjustmentMode;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import io.counterpart.core.staleness.decide.Evidence;
import io.counterpart.core.staleness.decide.LevelDecider;
import io.counterpart.core.staleness.decide.LevelDecision;
import io.counterpart.core.staleness.decide.ReadLevel;
import io.counterpart.core.staleness.decide.ReadRequest;
import io.counterpart.core.staleness.decide.ReadShape;
import io.counterpart.core.staleness.decide.ReplicaHealth;
import io.counterpart.core.staleness.decide.RequestWish;
import io.counterpart.core.staleness.estimate.SetEstimate;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.guardrails.GuardrailsConfig;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.pager.PagingState;

/** Gathers what a decision about one read needs, and asks for it. Thread-safe. */
final class LevelChoice {
  private static final Evidence NOTHING =
      new Evidence(
          new ReplicaHealth(0, false, false, false, false),
          Optional.empty(),
          0,
          false,
          Set.of(),
          level -> OptionalLong.empty());

  private final Coordinator coordinator;
  private final LevelDecider decider = new LevelDecider();

  LevelChoice(Coordinator coordinator) {
    this.coordinator = coordinator;
  }

  LevelDecision decide(ClientRead read, RequestWish wish) {
    ReadLevel client = Levels.read(read.options().getConsistency());
    ReadShape shape = read.shape();
    var policy = coordinator.policies().of(read.tableName().keyspace(), read.tableName().table());
    // a statement without its values, or with a null key, is refused by Cassandra
    Optional<ByteBuffer> legalKey =
        shape == ReadShape.ONE_PARTITION
                && client.isAdjustable()
                && policy.mode() != AdjustmentMode.OFF
            ? read.keyIfLegal()
            : Optional.empty();
    if (legalKey.isEmpty()) {
      return decider.decide(
          policy, new ReadRequest(client, shape, wish, false, ReadRequest.Page.FIRST), NOTHING);
    }
    TableId table = read.table().id;
    SessionKeys.Access access =
        SessionKeys.Access.of(table, legalKey.get(), read.state().getClientState());
    coordinator
        .sessionKeys()
        .sinceWrittenNanos(access)
        .ifPresent(nanos -> coordinator.estimates().addGap(table, nanos));
    boolean wrote = coordinator.sessionKeys().mayHaveWritten(access);
    ReadRequest request = new ReadRequest(client, shape, wish, wrote, page(read, client));
    Token token = read.table().partitioner.getToken(legalKey.get());
    ReplicaSet replicas = coordinator.replicaSets().of(read.table().keyspace, token);
    Supplier<LevelDecision> decision =
        () -> decider.decide(policy, request, evidence(read, request, token, replicas));
    return request.isPlain()
        ? kept(read.table(), policy, client, replicas, decision)
        : decision.get();
  }

  /** Decides, or takes what was decided about a read that is like it. */
  private LevelDecision kept(
      TableMetadata table,
      ConsistencyPolicy policy,
      ReadLevel client,
      ReplicaSet replicas,
      Supplier<LevelDecision> decision) {
    KeptDecisions decisions = coordinator.tallies().decisions();
    KeptDecisions.Asked asked = new KeptDecisions.Asked(table.id, client);
    long now = coordinator.nanoClock().getAsLong();
    Optional<LevelDecision> known = decisions.find(replicas, asked, policy, now);
    if (known.isPresent()) {
      return known.get();
    }
    LevelDecision made = decision.get();
    // nodes may join the replicas of a part of their tokens only
    if (!ReplicaSets.anyPending(table.keyspace)) {
      decisions.keep(replicas, asked, policy, made, now);
    }
    return made;
  }

  private ReadRequest.Page page(ClientRead read, ReadLevel client) {
    PagingState state = read.options().getPagingState();
    return state == null
        ? ReadRequest.Page.FIRST
        : ReadRequest.Page.later(coordinator.tallies().pages().of(next(read, client, state)));
  }

  /** How the next page of a read is asked for. */
  static PageLevels.NextPage next(ClientRead read, ReadLevel client, PagingState state) {
    return PageLevels.NextPage.of(
        read.table().id, client, state.serialize(read.options().getProtocolVersion()));
  }

  private Evidence evidence(ClientRead read, ReadRequest request, Token token, ReplicaSet set) {
    ReadLevel client = request.clientLevel();
    RequestWish wish = request.wish();
    List<InetAddressAndPort> replicas = client.isLocal() ? set.local() : set.all();
    Optional<SetEstimate> estimate =
        coordinator.estimates().find(new SetKey(read.table().id, replicas));
    long now = coordinator.nanoClock().getAsLong();
    // a global level over several datacenters would be raised to wait for the farthest one
    boolean supported =
        EstimatedReplicas.areSupported(replicas) && (client.isLocal() || set.isLocal());
    return new Evidence(
        new ReplicaHealth(
            supported ? replicas.size() : 0,
            ReplicaSets.anyDown(replicas),
            ReplicaSets.anyPending(read.table().keyspace, token),
            estimate.map(SetEstimate::suspects).orElse(0) != 0,
            coordinator.absences().anyCatchesUp(replicas, now)),
        estimate.flatMap(known -> known.bounds(wish.maxStaleMillis().orElse(0))),
        estimate.map(known -> known.newestSampleMillis(now)).orElse(0L),
        coordinator.tallies().shadows().isFrozen(read.tableName(), now),
        refused(),
        coordinator.tallies().usualTimes()::of);
  }

  /** A level that the cluster warns of would put a warning into answers that had none. */
  private static Set<ReadLevel> refused() {
    GuardrailsConfig config = DatabaseDescriptor.getGuardrailsConfig();
    Set<ConsistencyLevel> refused = config.getReadConsistencyLevelsDisallowed();
    Set<ConsistencyLevel> warned = config.getReadConsistencyLevelsWarned();
    return refused.isEmpty() && warned.isEmpty()
        ? Set.of()
        : Stream.concat(refused.stream(), warned.stream())
            .map(Levels::read)
            .collect(Collectors.toUnmodifiableSet());
  }
}
