/**
 * Real memcached servers on 127.0.0.1: processes of this JVM, which end with it unless they are
 * left to somebody who knows them.
 *
 * <p>In: a {@link io.counterpart.memcached.MemcachedSpec}, a directory and ports. Out: {@link
 * io.counterpart.memcached.MemcachedServers} that answer, and can be stopped, killed, paused and
 * started again. Nothing outside the directory is written. Of memcached's protocol there is one
 * question, whether a server answers; no client, no keys and no rings belong here.
 */
@NullMarked
package io.counterpart.memcached;

import org.jspecify.annotations.NullMarked;
