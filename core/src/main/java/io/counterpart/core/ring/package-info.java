/**
 * The token ring as one node sees it: arcs, the node's replica index in each, and groups of arcs.
 * In: arcs already computed by an adapter. Out: pure look-ups. No Cassandra type, no I/O.
 */
@NullMarked
package io.counterpart.core.ring;

import org.jspecify.annotations.NullMarked;
