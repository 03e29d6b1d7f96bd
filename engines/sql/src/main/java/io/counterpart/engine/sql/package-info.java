/**
 * Stores in InnoDB tables of a MariaDB or MySQL server: one database a keyspace, one table a store.
 *
 * <p>In: the calls of {@link io.counterpart.engine.server.ServerTable}. Out: calls of stored
 * procedures, each on a pooled connection that goes back at once. Not here: anything about
 * Cassandra; how a server is installed or started.
 */
@NullMarked
package io.counterpart.engine.sql;

import org.jspecify.annotations.NullMarked;
