package io.counterpart.cassandra.consistency;

import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;

/** The options of a client's read at another level. Stateless. */
final class ReadOptions {
  private ReadOptions() {}

  /** The same but for the level. They share the client's values, so they are for its thread. */
  static QueryOptions at(QueryOptions options, ConsistencyLevel level) {
    return withColumns(QueryOptions.withConsistencyLevel(options, level), options);
  }

  /**
   * The same for another thread. Values with names are put in the markers' order each time that a
   * statement runs, so options that share them would change under the client's thread. To be copied
   * there, of a read whose values are in order.
   */
  static QueryOptions copyAt(ClientRead read, ConsistencyLevel level) {
    QueryOptions options = read.options();
    QueryOptions copy =
        QueryOptions.create(
            level,
            options.getValues(),
            options.skipMetadata(),
            options.getPageSize(),
            options.getPagingState(),
            options.getSerialConsistency(),
            options.getProtocolVersion(),
            options.getKeyspace(),
            options.getTimestamp(read.state()),
            options.getNowInSeconds(read.state()));
    return withColumns(copy, options);
  }

  /** Cassandra's wrapper hides the columns that other handlers of the chain may want. */
  private static QueryOptions withColumns(QueryOptions changed, QueryOptions options) {
    return options.hasColumnSpecifications()
        ? QueryOptions.addColumnSpecifications(changed, options.getColumnSpecifications())
        : changed;
  }
}
