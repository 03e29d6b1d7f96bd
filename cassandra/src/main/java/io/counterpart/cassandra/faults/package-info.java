/**
 * Faults for experiments and tests, at work only where an operator names {@link
 * io.counterpart.cassandra.faults.FaultInjectionHandler} as the node's query handler: late writes,
 * and the switch of the consistency handler. Must not be here: decisions of the product.
 */
@NullMarked
package io.counterpart.cassandra.faults;

import org.jspecify.annotations.NullMarked;
