package io.counterpart.cluster.server;

import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A kind of server, the one that an engine needs. Stateless. */
public interface ServerKind {

  /** All that there are. */
  List<ServerKind> ALL = List.of(new MariaDbServer(), new RedisServer());

  /** The kind that an engine needs; empty for an engine that needs none. */
  static Optional<ServerKind> of(String engine) {
    return ALL.stream().filter(kind -> kind.engine().equals(engine)).findFirst();
  }

  /** Name of the engine. */
  String engine();

  /** What this machine lacks, with advice; empty if a server can be started. */
  Optional<String> missing();

  /** The engine's parameters for a server. */
  Map<String, String> parameters(ServerPlace place);

  /** File names of its programs. */
  List<String> programs();

  /** An argument of its command line that no other process of these programs has. */
  String argument(ServerPlace place);

  /** The one that runs in a place, whoever started it. */
  default Optional<ProcessIdentity> running(ServerPlace place) {
    return ProcessIdentity.withArgument(programs(), argument(place));
  }

  /**
   * Starts a server on its data, or on none; returns when it answers.
   *
   * @throws ServerStartException if it ends or does not answer; no process is left
   */
  ProcessIdentity start(ServerPlace place) throws IOException;
}
