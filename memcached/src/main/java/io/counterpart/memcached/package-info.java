/**
 * Real memcached servers on 127.0.0.1: processes of this JVM that end with it, unless they are
 * detached.
 *
 * <p>In: a {@link io.counterpart.memcached.MemcachedSpec}, a directory and ports. Out: {@link
 * io.counterpart.memcached.MemcachedServers} that answer, and can be stopped, killed, paused and
 * started again. Writes only into the directory. Asks memcached one question, whether it answers.
 * Must not be here: clients, keys, rings.
 */
@NullMarked
package io.counterpart.memcached;

import org.jspecify.annotations.NullMarked;
