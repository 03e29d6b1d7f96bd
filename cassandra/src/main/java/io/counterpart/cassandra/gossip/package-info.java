/** What nodes tell each other by gossip, beside Cassandra's own states. */
@NullMarked
package io.counterpart.cassandra.gossip;

import org.jspecify.annotations.NullMarked;
