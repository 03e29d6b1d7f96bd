/** Keeps this feature's failures away from requests and messages. */
@NullMarked
package io.counterpart.cassandra.consistency.guard;

import org.jspecify.annotations.NullMarked;
