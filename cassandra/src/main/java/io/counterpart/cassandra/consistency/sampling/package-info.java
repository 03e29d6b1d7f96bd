/**
 * Sampling of acknowledgements on the coordinator. In: clients' writes, their messages and answers,
 * this node's memtables. Out: estimates by table and replica set. Must not be here: what is done
 * with them.
 */
@NullMarked
package io.counterpart.cassandra.consistency.sampling;

import org.jspecify.annotations.NullMarked;
