/**
 * How likely reads miss acknowledged writes, from writes as they happen. In go the times at which a
 * write was acknowledged to its client and by each replica, out come bounds for each number of
 * replicas read. Times and randomness are passed in. Must not be here: levels, policies, Cassandra.
 */
@NullMarked
package io.counterpart.core.staleness.estimate;

import org.jspecify.annotations.NullMarked;
