/**
 * Load balancing for applications that use the Java driver 4. In: the driver's token map, its live
 * nodes and its in-flight requests. Out: the order in which the driver tries nodes for a request.
 * The jar goes into applications, so nothing but the driver and the JDK may be used here. Latencies
 * of replicas are the snitch's business: only a node that does not answer is avoided here.
 */
@NullMarked
package io.counterpart.driver;

import org.jspecify.annotations.NullMarked;
