/**
 * The memory tier as processes of this machine: memcached servers and the proxy before them, which
 * stay when the command that started them ends and are found again through one state file.
 *
 * <p>In: a directory, ports, a {@link io.counterpart.memcached.MemcachedSpec} and the proxy's
 * command line. Out: {@link io.counterpart.memcached.tier.Tier}. Nothing outside the directory is
 * written. What the proxy is, and what it says, is not known here.
 */
@NullMarked
package io.counterpart.memcached.tier;

import org.jspecify.annotations.NullMarked;
