/**
 * The memory tier as processes of this machine: memcached servers and the proxies before them. They
 * outlive the command that started them; one state file records them.
 *
 * <p>In: a directory, ports, a {@link io.counterpart.memcached.MemcachedSpec} and the proxy's
 * command line. Out: {@link io.counterpart.memcached.tier.Tier}. Writes only into the directory.
 * Knows nothing of the proxy beyond its command line.
 */
@NullMarked
package io.counterpart.memcached.tier;

import org.jspecify.annotations.NullMarked;
