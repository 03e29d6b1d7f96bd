package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy;
import io.counterpart.lab.setup.RunRefusedException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Driver sessions for a survey: of any datacenter, with time-outs for a busy small machine. */
public final class SurveySession {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private SurveySession() {}

  /**
   * Connects.
   *
   * @throws RunRefusedException naming the contact points if none of them answers
   */
  public static CqlSession open(RemoteAccess access) {
    CqlSessionBuilder builder =
        CqlSession.builder().withConfigLoader(config()).addContactPoints(access.addresses());
    try {
      return access.admit(builder).build();
    } catch (AllNodesFailedException e) {
      throw new RunRefusedException(
          "no contact point answers CQL%s: %s%s"
              .formatted(
                  access.isCqlEncrypted() ? " over TLS" : "",
                  reasons(e),
                  access.isCqlEncrypted() ? "" : "; nodes that want TLS need --tls"));
    }
  }

  /** All nodes of the cluster, in the order of their addresses. */
  public static List<Node> nodes(CqlSession session) {
    List<Node> nodes = new ArrayList<>(session.getMetadata().getNodes().values());
    nodes.sort(Comparator.comparing(node -> node.getEndPoint().toString()));
    return nodes;
  }

  /** A node's name for people. */
  public static String name(Node node) {
    return node.getEndPoint().toString().replaceFirst("^/", "");
  }

  /** Whether a node is known not to answer. */
  public static boolean isDown(Node node) {
    return node.getState() == NodeState.DOWN || node.getState() == NodeState.FORCED_DOWN;
  }

  /** A node's class path; empty where it does not answer, or does not let the user see it. */
  public static Optional<String> classPath(CqlSession session, Node node) {
    try {
      Row row =
          session
              .execute(
                  SimpleStatement.newInstance(
                          "SELECT value FROM system_views.system_properties WHERE name ="
                              + " 'java.class.path'")
                      .setNode(node))
              .one();
      return Optional.ofNullable(row == null ? null : row.getString(0));
    } catch (DriverException e) {
      return Optional.empty();
    }
  }

  /** Whether a statement was not carried out; other failures leave that open. */
  public static boolean isRefusal(DriverException e) {
    return e instanceof QueryValidationException || e instanceof AllNodesFailedException;
  }

  /** Why a statement failed. */
  public static String reason(DriverException e) {
    return e instanceof AllNodesFailedException failed
        ? reasons(failed)
        : String.valueOf(e.getMessage());
  }

  /** Each node with the reason why it did not answer. */
  static String reasons(AllNodesFailedException failure) {
    return failure.getAllErrors().entrySet().stream()
        .map(
            entry ->
                "%s (%s)"
                    .formatted(
                        String.valueOf(entry.getKey().getEndPoint()).replaceFirst("^/", ""),
                        entry.getValue().stream()
                            .map(SurveySession::innermost)
                            .distinct()
                            .collect(Collectors.joining("; "))))
        .collect(Collectors.joining(", "));
  }

  /** The innermost cause: what is around it names steps of the protocol. */
  private static String innermost(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof ClosedChannelException) {
      // the driver may write before it learns that nobody listens
      return "connection refused or closed";
    }
    String text = cause.getMessage();
    return text == null ? cause.getClass().getSimpleName() : text.lines().findFirst().orElse("");
  }

  static DriverConfigLoader config() {
    return DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, LIMIT)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, LIMIT)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, LIMIT)
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, LIMIT)
        // the default is 2 s, whatever the line above says; a session that has no schema by then
        // goes on as if there were no tables
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, LIMIT)
        // which datacenter is worked in is seen only once somebody has answered
        .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, BasicLoadBalancingPolicy.class)
        .withStringList(
            DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES, SystemKeyspaces.allOthers())
        .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
        .build();
  }
}
