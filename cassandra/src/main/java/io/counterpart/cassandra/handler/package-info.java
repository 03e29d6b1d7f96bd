/**
 * The chain of query handlers, of which Cassandra takes one. In: requests of clients. Out: the same
 * requests, for the next handler.
 */
@NullMarked
package io.counterpart.cassandra.handler;

import org.jspecify.annotations.NullMarked;
