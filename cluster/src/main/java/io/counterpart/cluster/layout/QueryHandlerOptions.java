package io.counterpart.cluster.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * Options of the nodes' JVMs that give them the plugin's query handler. Levels stay the client's.
 */
public final class QueryHandlerOptions {
  private static final String HANDLER = "-Dcassandra.custom_query_handler_class=";

  private QueryHandlerOptions() {}

  /**
   * Clients are told why a copy on a storage engine failed.
   *
   * @param given options that the nodes have otherwise: nothing is added to a handler of theirs
   */
  public static List<String> explaining(List<String> given) {
    return given.stream().anyMatch(option -> option.startsWith(HANDLER))
        ? List.of()
        : List.of(
            HANDLER + "io.counterpart.cassandra.consistency.ConsistencyQueryHandler",
            "-Dcounterpart.consistency.mode=off");
  }

  /**
   * The same, and the copies that a read did not ask are compared and repaired after a tenth of the
   * reads, off the client's path. Paper: MyCassandra §3.2.2.
   *
   * @param given as above
   */
  public static List<String> repairing(List<String> given) {
    List<String> options = new ArrayList<>(explaining(given));
    if (!options.isEmpty()) {
      options.add("-Dcounterpart.consistency.read_repair_chance=0.1");
    }
    return List.copyOf(options);
  }
}
