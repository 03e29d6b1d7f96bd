/**
 * The memory tier's load client: seeded requests over pipelined connections, and the check of every
 * answer. In: the shape of the data and a mix. Out: counts and latencies. It does not know the
 * tier's implementation.
 */
@NullMarked
package io.counterpart.lab.tier.client;

import org.jspecify.annotations.NullMarked;
