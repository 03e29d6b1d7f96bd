/**
 * Stores on a Redis or Valkey server: a sorted set for the order of keys and a hash for the values.
 *
 * <p>In: the calls of {@link io.counterpart.engine.server.ServerTable}, options. Out: scripts and
 * commands on pooled connections; keys {@code <table>_<store id>:order} and {@code …:values} in the
 * keyspace's database. Not here: snapshots, anything about Cassandra.
 */
@NullMarked
package io.counterpart.engine.redis;

import org.jspecify.annotations.NullMarked;
