package io.counterpart.lab.remote.mix;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.counterpart.core.placement.engine.EngineMix;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.lab.remote.MixOptions;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.RingSurvey;
import io.counterpart.lab.remote.SurveySession;
import io.counterpart.lab.setup.RunRefusedException;
import io.counterpart.lab.setup.SchemaAgreement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A keyspace under HeterogeneousStrategy whose mix is to be changed. All state is the cluster's, so
 * a change that was interrupted can be planned again. Not thread-safe.
 */
public final class MixedKeyspace implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 200;

  private final RemoteAccess access;
  private final CqlSession session;
  private final KeyspaceMetadata keyspace;
  private final TokenRing ring;

  private MixedKeyspace(
      RemoteAccess access, CqlSession session, KeyspaceMetadata keyspace, TokenRing ring) {
    this.access = access;
    this.session = session;
    this.keyspace = keyspace;
    this.ring = ring;
  }

  /**
   * Connects, and looks whether the keyspace can be changed. Changes nothing.
   *
   * @throws RunRefusedException if the cluster cannot be reached, lacks the keyspace or has it
   *     under another strategy, if a node is down, or a table of the keyspace is cold on one
   */
  public static MixedKeyspace open(RemoteAccess access, String name) {
    CqlSession session = SurveySession.open(access);
    try {
      KeyspaceMetadata keyspace =
          session
              .getMetadata()
              .getKeyspace(CqlIdentifier.fromInternal(name))
              .orElseThrow(() -> new RunRefusedException("there is no keyspace " + name));
      requireStrategy(name, keyspace);
      List<Node> nodes = SurveySession.nodes(session);
      for (Node node : nodes) {
        requireServing(session, node, name);
      }
      if (!SchemaAgreement.isReached(session, nodes)) {
        throw new RunRefusedException(
            "the nodes disagree on the schema: see nodetool describecluster");
      }
      return new MixedKeyspace(access, session, keyspace, RingSurvey.ring(access));
    } catch (DriverException e) {
      session.close();
      throw new RunRefusedException("the cluster cannot be looked at: " + SurveySession.reason(e));
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private static void requireStrategy(String name, KeyspaceMetadata keyspace) {
    if (!MixOptions.isMixed(keyspace.getReplication())) {
      throw new RunRefusedException(
          ("keyspace %s is under %s, legal: HeterogeneousStrategy. Of others the mix is in the"
                  + " tokens of the nodes: start a new datacenter with nodes of the classes (here:"
                  + " counterpart up --servers S --engines CLASS=ENGINE,… --quorum N,W,R), ALTER"
                  + " KEYSPACE to give it copies, nodetool rebuild on each of its nodes, then move"
                  + " the clients there")
              .formatted(
                  name,
                  String.valueOf(keyspace.getReplication().get("class")).replaceAll(".*\\.", "")));
    }
  }

  /** A repair needs every node, and what a cold one had does not count as a copy. */
  private static void requireServing(CqlSession session, Node node, String keyspace) {
    String name = SurveySession.name(node);
    if (SurveySession.isDown(node)) {
      throw new RunRefusedException(name + " is down: the repair of new copies needs every node");
    }
    try {
      for (Row row : session.execute(at(node, "SELECT * FROM counterpart.engines")).all()) {
        if (keyspace.equals(row.getString("keyspace_name"))
            && String.valueOf(row.getString("state")).startsWith("cold")) {
          throw new RunRefusedException(
              "%s.%s is cold on %s: wait until it is rebuilt"
                  .formatted(keyspace, row.getString("table_name"), name));
        }
      }
    } catch (InvalidQueryException noEngines) {
      // no table of the node is on one
    }
  }

  private static SimpleStatement at(Node node, String query, Object... values) {
    return SimpleStatement.newInstance(query, values).setNode(node).setTimeout(LIMIT);
  }

  /**
   * Looks what a change takes. Changes nothing.
   *
   * @param datacenter whose N changes; null for the only one with copies
   * @throws RunRefusedException if the datacenter has no copies or is not named, has too few nodes
   *     of a class, or the quorums do not do in another datacenter
   */
  public MixPlan plan(@Nullable String datacenter, EngineMix wanted) {
    return new MixPlanner(
            keyspace.getName().asInternal(), MixOptions.mixes(keyspace.getReplication()), ring)
        .plan(datacenter, wanted);
  }

  /**
   * Gives the schema the mix, unless it has it, and returns when all nodes know it and no write is
   * under way whose coordinator did not.
   *
   * @return false if no answer comes, or the nodes do not agree on a schema, in time; they go on
   * @throws RunRefusedException if the cluster refuses, or the keyspace or the ring are not those
   *     of the plan any more; nothing was changed then
   */
  public boolean alter(MixPlan plan) throws InterruptedException {
    if (!plan.isDone()) {
      Map<String, String> options = options(plan.keyspace());
      requireCurrent(plan, options, ring, RingSurvey.ring(access));
      try {
        session.execute(
            SimpleStatement.newInstance(
                    "ALTER KEYSPACE %s WITH replication = %s"
                        .formatted(
                            keyspace.getName().asCql(true),
                            MixOptions.literal(options, plan.datacenter(), plan.own().to())))
                .setTimeout(LIMIT));
      } catch (DriverException e) {
        if (!SurveySession.isRefusal(e)) {
          return false;
        }
        throw new RunRefusedException(
            "keyspace %s keeps its mix: %s".formatted(plan.keyspace(), SurveySession.reason(e)));
      }
    }
    try {
      return isKnownToAll();
    } catch (DriverException e) {
      return false;
    }
  }

  /** Of the keyspace now; empty if it is gone. */
  private Map<String, String> options(String name) {
    try {
      Row row =
          session
              .execute(
                  SimpleStatement.newInstance(
                          "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?",
                          name)
                      .setTimeout(LIMIT))
              .one();
      Map<String, String> options = row == null ? null : row.getMap(0, String.class, String.class);
      return options == null ? Map.of() : options;
    } catch (DriverException e) {
      throw new RunRefusedException(
          "keyspace %s keeps its mix: %s".formatted(name, SurveySession.reason(e)));
    }
  }

  /**
   * A repair that comes before the change may take hours, in which others change the keyspace or
   * the ring. A node that has joined leads ranges that were not repaired, whatever the levels.
   */
  static void requireCurrent(
      MixPlan plan, Map<String, String> options, TokenRing planned, TokenRing now) {
    boolean isCurrent =
        members(planned).equals(members(now))
            && MixOptions.isMixed(options)
            && new MixPlanner(plan.keyspace(), MixOptions.mixes(options), now)
                .plan(plan.datacenter(), plan.own().to())
                .equals(plan);
    if (!isCurrent) {
      throw new RunRefusedException(
          "keyspace %s or the ring has changed since this was planned: run the command again"
              .formatted(plan.keyspace()));
    }
  }

  /** Whether the mix is that of after the change, and the ring that of before it. */
  public boolean isAsAltered(MixPlan plan) {
    try {
      return isAsAltered(plan, options(plan.keyspace()), ring, RingSurvey.ring(access));
    } catch (RunRefusedException noAnswer) {
      return false;
    }
  }

  static boolean isAsAltered(
      MixPlan plan, Map<String, String> options, TokenRing planned, TokenRing now) {
    Map<String, EngineMix> after = new HashMap<>();
    plan.change().byDatacenter().forEach((name, change) -> after.put(name, change.to()));
    return members(planned).equals(members(now))
        && MixOptions.isMixed(options)
        && MixOptions.mixes(options).equals(after);
  }

  private static Set<RingNode> members(TokenRing ring) {
    return ring.nodes().stream()
        .map(
            node ->
                new RingNode(
                    node.name(),
                    node.datacenter(),
                    node.rack(),
                    node.tokens().stream().sorted().toList()))
        .collect(Collectors.toSet());
  }

  private boolean isKnownToAll() throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!SchemaAgreement.isReached(session, SurveySession.nodes(session))) {
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.sleep(POLL_MILLIS);
    }
    awaitWrites();
    return true;
  }

  /** Returns when no write is under way any more that had begun before. */
  public void awaitWrites() throws InterruptedException {
    Thread.sleep(longestWrite().toMillis());
  }

  private Duration longestWrite() {
    Duration longest = Duration.ZERO;
    for (Node node : SurveySession.nodes(session)) {
      for (String name : List.of("write_request_timeout", "counter_write_request_timeout")) {
        Row row =
            session
                .execute(at(node, "SELECT value FROM system_views.settings WHERE name = ?", name))
                .one();
        Duration limit = WriteTimeout.parse(row == null ? null : row.getString(0));
        longest = limit.compareTo(longest) > 0 ? limit : longest;
      }
    }
    return longest;
  }

  /** Addresses of the nodes that may keep copies. */
  public List<String> nodes() {
    Map<String, EngineMix> mixes = MixOptions.mixes(keyspace.getReplication());
    return ring.nodes().stream()
        .filter(node -> mixes.containsKey(node.datacenter()))
        .map(node -> node.name())
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    session.close();
  }
}
