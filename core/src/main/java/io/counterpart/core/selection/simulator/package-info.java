/**
 * Simulates rules of replica selection, without a cluster: nodes with caches and queues, slow
 * nodes, pauses, keys by popularity, reads that arrive at a rate whatever the nodes do. In: a
 * scenario, a rule and a seed. Out: latencies, cache hits, reads by node and moved rows. The
 * plugin's rule is the class that the plugin runs. Plain JDK; simulated time only.
 */
@NullMarked
package io.counterpart.core.selection.simulator;

import org.jspecify.annotations.NullMarked;
