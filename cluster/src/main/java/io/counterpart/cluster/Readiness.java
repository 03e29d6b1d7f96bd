package io.counterpart.cluster;

import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.StartupLog;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Waits until started nodes serve; fails at once when one dies. */
final class Readiness {

  private static final int POLL_MILLIS = 100;
  private static final int CONNECT_MILLIS = 200;
  private static final Duration AGREEMENT_LIMIT = Duration.ofSeconds(60);

  private Readiness() {}

  /**
   * Returns when every one of {@code starting} serves CQL, which a node does only after it joined.
   *
   * @throws NodeStartException if a process ends or the limit passes
   */
  static void awaitServing(List<Node> starting, Duration limit, StartListener listener) {
    long begin = System.nanoTime();
    List<Node> pending = new ArrayList<>(starting);
    while (!pending.isEmpty()) {
      Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
      // also those that serve already: the others may take minutes
      for (Node node : starting) {
        if (!node.isAlive()) {
          throw failed(node, StartupLog.cause(node.layout()));
        }
      }
      for (Node node : List.copyOf(pending)) {
        if (serves(node)) {
          pending.remove(node);
          listener.ready(node.index(), elapsed);
        }
      }
      if (!pending.isEmpty() && elapsed.compareTo(limit) > 0) {
        throw failed(pending.get(0), "it does not serve CQL after " + limit.toSeconds() + " s");
      }
      ProcessIdentity.pause(POLL_MILLIS);
    }
  }

  /**
   * Returns when all live nodes are NORMAL, see one another, know the tokens of all and have the
   * same schema.
   */
  static void awaitAgreement(List<Node> live) {
    long deadline = System.nanoTime() + AGREEMENT_LIMIT.toNanos();
    try (Questions questions = new Questions()) {
      String problem = disagreement(live, questions);
      while (!problem.isEmpty()) {
        for (Node node : live) {
          if (!node.isAlive()) {
            throw failed(node, StartupLog.cause(node.layout()));
          }
        }
        if (System.nanoTime() - deadline > 0) {
          throw failed(
              live.get(0),
              "the nodes do not agree after " + AGREEMENT_LIMIT.toSeconds() + " s: " + problem);
        }
        ProcessIdentity.pause(POLL_MILLIS);
        problem = disagreement(live, questions);
      }
    }
  }

  private static String disagreement(List<Node> live, Questions questions) {
    List<String> addresses = live.stream().map(Node::address).toList();
    Set<Object> schemas = new HashSet<>();
    for (Node node : live) {
      try {
        Object mode = questions.ask(node, "OperationMode");
        if (!mode.equals("NORMAL")) {
          return node + " is " + mode;
        }
        List<?> seen = (List<?>) questions.ask(node, "LiveNodes");
        if (!seen.containsAll(addresses)) {
          return node + " sees only " + seen;
        }
        // a node is seen before its tokens are: until then others would write past it
        Set<Object> owners = new TreeSet<>(questions.of(node).tokenOwners());
        if (!owners.containsAll(addresses)) {
          return node + " knows tokens only of " + owners;
        }
        schemas.add(questions.ask(node, "SchemaVersion"));
      } catch (UncheckedIOException | IllegalArgumentException notYet) {
        questions.forget(node);
        return node + " does not answer on JMX: " + notYet.getMessage();
      }
    }
    return schemas.size() > 1 ? "schema versions " + schemas : "";
  }

  private static boolean serves(Node node) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(node.address(), node.cqlPort()), CONNECT_MILLIS);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static NodeStartException failed(Node node, String cause) {
    return new NodeStartException(node.index(), cause, node.layout().systemLog());
  }

  /** One connection a node for all questions: to connect costs far more than to ask. */
  private static final class Questions implements AutoCloseable {
    private final Map<Node, NodeJmx> connections = new HashMap<>();

    NodeJmx of(Node node) {
      return connections.computeIfAbsent(node, Node::jmx);
    }

    Object ask(Node node, String attribute) {
      return of(node).attribute(NodeJmx.STORAGE_SERVICE, attribute);
    }

    /** The next question makes a connection anew. */
    void forget(Node node) {
      NodeJmx lost = connections.remove(node);
      if (lost != null) {
        close(lost);
      }
    }

    @Override
    public void close() {
      connections.values().forEach(Questions::close);
    }

    /** A connection says goodbye, which fails where the node has ended: others tell of that. */
    private static void close(NodeJmx connection) {
      try {
        connection.close();
      } catch (UncheckedIOException ended) {
        return;
      }
    }
  }
}
