/**
 * JMX of any Cassandra node, of this machine or another.
 *
 * <p>In: an endpoint, a login. Out: attributes and operations of the node's beans. Not here: nodes
 * as processes.
 */
@NullMarked
package io.counterpart.cluster.jmx;

import org.jspecify.annotations.NullMarked;
