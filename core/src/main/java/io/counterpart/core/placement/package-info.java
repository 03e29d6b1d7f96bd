/**
 * Placement of nodes on the ring: tokens from the order of the nodes' hashes, and the balance that
 * a ring has. In go addresses, racks and numbers of copies, out come tokens and shares.
 *
 * <p>Must not be here: the state of a running cluster, and the cost of a change ({@code
 * core.ring.change}).
 */
@NullMarked
package io.counterpart.core.placement;

import org.jspecify.annotations.NullMarked;
