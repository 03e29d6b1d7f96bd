package io.counterpart.cluster.server;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The servers of one node: one for each of the cluster's engines that needs one, in a directory of
 * the node's, on its address. Reading is thread-safe; start, stop and kill must not overlap.
 */
public final class NodeServers {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

  private final Map<ServerKind, ServerPlace> places;

  /** By engine. */
  private final Map<String, ProcessIdentity> processes = new ConcurrentHashMap<>();

  private NodeServers(Map<ServerKind, ServerPlace> places) {
    this.places = places;
  }

  /**
   * @param recorded by engine; a server whose starter was killed before it could record it is found
   *     by its command line
   */
  public static NodeServers of(
      ClusterSpec spec, NodeLayout node, Map<String, ProcessIdentity> recorded) {
    NodeServers servers = new NodeServers(places(spec, node));
    servers.places.forEach(
        (kind, place) ->
            Optional.ofNullable(recorded.get(kind.engine()))
                .filter(ProcessIdentity::isAlive)
                .or(() -> kind.running(place))
                .ifPresent(process -> servers.processes.put(kind.engine(), process)));
    return servers;
  }

  /** Those of a node that was never started. */
  public static NodeServers fresh(ClusterSpec spec, NodeLayout node) {
    return new NodeServers(places(spec, node));
  }

  /** Where the servers of a node are. */
  public static Map<ServerKind, ServerPlace> places(ClusterSpec spec, NodeLayout node) {
    Map<ServerKind, ServerPlace> places = new LinkedHashMap<>();
    for (ServerKind kind : ServerKind.ALL) {
      if (spec.enginesAt(node.location()).contains(kind.engine())) {
        int port = node.ports().server(ServerKind.ALL.indexOf(kind));
        places.put(
            kind, new ServerPlace(node.directory().resolve(kind.engine()), node.address(), port));
      }
    }
    return places;
  }

  /** For each of a cluster's engines the parameters that are one node's own. */
  public static Map<String, Map<String, String>> parameters(ClusterSpec spec, NodeLayout node) {
    Map<String, Map<String, String>> parameters = new LinkedHashMap<>();
    spec.enginesAt(node.location()).forEach(engine -> parameters.put(engine, Map.of()));
    places(spec, node)
        .forEach((kind, place) -> parameters.put(kind.engine(), kind.parameters(place)));
    return parameters;
  }

  /** What was started last, by engine. */
  public Map<String, ProcessIdentity> processes() {
    return Map.copyOf(processes);
  }

  /**
   * Starts those that do not run; returns when they answer.
   *
   * @throws ServerStartException if one does not start; those before it run
   */
  public void start() throws IOException {
    for (Map.Entry<ServerKind, ServerPlace> each : places.entrySet()) {
      ServerKind kind = each.getKey();
      ProcessIdentity last = processes.get(kind.engine());
      if (last == null || !last.isAlive()) {
        processes.put(kind.engine(), kind.start(each.getValue()));
      }
    }
  }

  /** SIGTERM, and SIGKILL for one that takes half a minute; returns when none is left. */
  public void stop() {
    List<ProcessIdentity> stopping = List.copyOf(processes.values());
    stopping.forEach(ProcessIdentity::terminate);
    for (ProcessIdentity process : stopping) {
      if (!process.awaitExit(STOP_LIMIT)) {
        process.kill();
      }
    }
    processes.clear();
  }

  /** SIGKILL; returns when none is left. */
  public void kill() {
    processes.values().forEach(ProcessIdentity::kill);
  }

  /** Kills all and deletes their data. */
  public void wipe() throws IOException {
    kill();
    for (ServerPlace place : places.values()) {
      NodeFiles.deleteTree(place.directory());
    }
  }

  @Override
  public String toString() {
    Map<String, Long> pids = new HashMap<>();
    processes.forEach((engine, process) -> pids.put(engine, process.pid()));
    return pids.toString();
  }
}
