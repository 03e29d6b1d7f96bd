/**
 * Where a node's rows were placed by. In: its address at each start. Out: a refusal of another one.
 */
@NullMarked
package io.counterpart.cassandra.placement.address;

import org.jspecify.annotations.NullMarked;
