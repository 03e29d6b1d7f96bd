/** The virtual keyspace {@code counterpart}: what operators see with cqlsh. Reads reports only. */
@NullMarked
package io.counterpart.cassandra.vtable;

import org.jspecify.annotations.NullMarked;
