/**
 * Database servers beside nodes, for storage engines that keep their data on one: real programs on
 * loopback, one a node and engine.
 *
 * <p>In: a directory, an address and a port. Out: processes, and the parameters by which the engine
 * finds them. Not here: services of the system, which are neither used nor touched.
 */
@NullMarked
package io.counterpart.cluster.server;

import org.jspecify.annotations.NullMarked;
