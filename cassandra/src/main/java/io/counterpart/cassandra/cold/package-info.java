/**
 * Tables whose stores were in memory alone, and have lost their data with the process: this node
 * must not answer reads of them until it has the data again.
 *
 * <p>In: cold tables. Out: a rebuild of each from other nodes' copies, and a word by gossip, so
 * that coordinators ask other nodes first. Not here: the stores, and the order of replicas.
 */
@NullMarked
package io.counterpart.cassandra.cold;

import org.jspecify.annotations.NullMarked;
