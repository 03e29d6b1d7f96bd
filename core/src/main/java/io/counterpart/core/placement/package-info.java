/**
 * Placement of nodes on the ring and of replicas on nodes: tokens from the order of the nodes'
 * hashes (PoR-T), replicas by that order (PoR-S), the balance that a ring has, and what a change
 * does to its replicas. In go addresses, racks and numbers of copies, out come tokens, replicas,
 * shares and verdicts.
 *
 * <p>Must not be here: the state of a running cluster, and the bytes that a change costs ({@code
 * core.ring.change}).
 */
@NullMarked
package io.counterpart.core.placement;

import org.jspecify.annotations.NullMarked;
